columns = ["price", "cost", "quantity", "discount"]


def row(r):
    net = r["price"] * (1.0 - r["discount"])
    quantity = r["quantity"]
    margin = (net - r["cost"]) * quantity
    return None if margin < 18000.0 else (net * quantity, margin)


def run(frame, pandas):
    return pandas.DataFrame(frame.apply(row, axis=1).dropna().tolist(), columns=["total", "margin"])
