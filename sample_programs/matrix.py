# entry: multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]])
def dot(row, column):
    total = 0
    for a, b in zip(row, column):
        total += a * b
    return total


def multiply(left, right):
    columns = list(zip(*right))
    result = []
    for row in left:
        result.append([dot(row, column) for column in columns])
    return result
