def tally(rows):
    table = {}
    history = []
    for index, (name, amount) in enumerate(rows):
        total = table.get(name, 0) + amount
        table[name] = total
        if total > 50:
            history.append((index, name))
            history = history[-10:]
    return table, history


names = ["ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal"]
rows = [(names[i * 7 % 8], i % 13) for i in range(2500)]
print(tally(rows)[1])
