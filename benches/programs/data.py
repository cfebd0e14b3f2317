def tally(rows):
    table = {}
    history = []
    for index, (name, amount) in enumerate(rows):
        total = table.get(name, 0) + amount
        table[name] = total
        if total > 20:
            history.append((index, name))
            history = history[-5:]
    return table, history


names = ["ann", "bob", "cid", "dee"]
rows = [(names[i * 7 % 4], i % 13) for i in range(20)]
for turn in range(1500):
    table, history = tally(rows)
print(history)
