columns = ["price", "cost", "quantity", "discount"]


def row(r):
    net = r["price"] * (1.0 - r["discount"])
    quantity = r["quantity"]
    return (net * quantity, (net - r["cost"]) * quantity, int(quantity) * 2 if quantity > 10 else int(quantity))


def run(frame, pandas):
    return pandas.DataFrame(frame.apply(row, axis=1).tolist(), columns=["total", "margin", "units"])
