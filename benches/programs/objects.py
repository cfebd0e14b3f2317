class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


class Tree:
    def __init__(self):
        self.root, self.size = None, 0

    def add(self, key):
        self.size += 1
        if self.root is None:
            self.root = Node(key)
            return
        node = self.root
        while True:
            if key < node.key:
                if node.left is None:
                    node.left = Node(key)
                    return
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key)
                    return
                node = node.right

    def has(self, key):
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None


tree = Tree()
state = 7
for turn in range(700):
    state = state * 1103515245 % 65521
    tree.add(state)
found = sum(tree.has(key) for key in range(2000))
print(tree.size, found)
