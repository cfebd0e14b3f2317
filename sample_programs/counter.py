# entry: main()
def make_counter(step):
    count = 0

    def advance():
        nonlocal count
        count += step
        return count

    return advance


def main():
    by_two = make_counter(2)
    by_five = make_counter(5)
    return [by_two(), by_five(), by_two()]
