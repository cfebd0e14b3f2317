# entry: launch(3)
def countdown(start):
    while start > 0:
        yield start
        start -= 1


def launch(start):
    said = []
    for number in countdown(start):
        said.append(number)
    said.append("liftoff")
    return said
