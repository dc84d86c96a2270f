columns = ["customer", "country", "price", "quantity"]


def row(r):
    quantity = r["quantity"]
    return (r["customer"].upper(), "bulk" if quantity > 10 else r["country"], r["price"] * quantity)


def run(frame, pandas):
    return pandas.DataFrame(frame.apply(row, axis=1).tolist(), columns=["customer", "band", "total"])
