# entry: main()
class EmptyStack(Exception):
    pass


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        if not self.items:
            raise EmptyStack("nothing to pop")
        return self.items.pop()


def main():
    stack = Stack()
    stack.push("plate")
    seen = [stack.pop()]
    try:
        seen.append(stack.pop())
    except EmptyStack as error:
        seen.append(str(error))
    return seen
