columns = ["price", "quantity"]


def row(r):
    parts = int(r["quantity"]) % 3
    return [(r["price"] / parts, number) for number in range(parts)]


def run(frame, pandas):
    found = [part for parts in frame.apply(row, axis=1) for part in parts]
    return pandas.DataFrame(found, columns=["part", "number"])
