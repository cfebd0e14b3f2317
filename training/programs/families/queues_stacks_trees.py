"""Stacks, queues, deques, linked lists, heaps and trees."""

from ..registry import family


@family
def linked_list(d):
    """Nodes with a next pointer: built, walked, reversed."""
    use = d.pick("$prev = None\nwhile $head:\n    $head.$next_, $prev, $head = $prev, $head, $head.$next_\nreturn $to_list($prev)", "$count = 0\n$node = $head\nwhile $node and $node.$value != {{0..9}}:\n    $count += 1\n    $node = $node.$next_\nreturn $count",
                 "$head.$next_ = $head.$next_.$next_ if $head.$next_ else None\nreturn $to_list($head)", "$node = $head\nwhile $node.$next_:\n    $node = $node.$next_\n$node.$next_ = $Node({{10..30}})\nreturn $to_list($head)")
    return d.make("""
        class $Node:
            def __init__(self, $value, $next_=None):
                self.$value = $value
                self.$next_ = $next_

        def $to_list($node):
            $out = []
            while $node{{| is not None}}:
                $out.append($node.$value)
                $node = $node.$next_
            return $out

        def $run($xs):
            $head = None
            for $x in {{$xs|reversed($xs)|$xs[::-1]}}:
                $head = $Node($x, $head)
            if len($xs) < 2:
                return $to_list($head)
            $use
        """, "$run({{@small 1 3}})", use=use)


@family
def two_stack_queue(d):
    """A queue made of two stacks, or a stack of a queue."""
    take = d.pick(
        "if not self.$back:\n    while self.$front:\n        self.$back.append(self.$front.pop())\nreturn self.$back.pop() if self.$back else None",
        "if not self.$back:\n    self.$back = self.$front[::-1]\n    self.$front = []\nif not self.$back:\n    return {{None|-1}}\nreturn self.$back.pop()",
    )
    ops = [d.pick(d.r.randint(0, 9), d.r.randint(0, 9), None) for _ in range(d.r.randint(3, 5))]
    return d.make("""
        class $Queue:
            def __init__(self):
                self.$front, self.$back = [], []

            def $put(self, $x):
                self.$front.append($x)

            def $get(self):
                $take

        def $run($ops):
            $q = $Queue()
            $got = []
            for $op in $ops:
                if $op is None:
                    $got.append($q.$get())
                else:
                    $q.$put($op)
            return $got, $q.$get()
        """, "$run($given)", take=take, given=ops)


@family
def deque_rotation(d):
    """`deque`: both ends, rotation, a bounded window, a circle of players."""
    use = d.pick(
        "while len($q) > 1:\n    $q.rotate(-{{1..3}})\n    $out.append($q.popleft())\nreturn $q[0], $out",
        "$last = deque(maxlen={{2|3}})\nfor $x in $q:\n    $last.append($x)\n    $out.append(sum($last))\nreturn $out",
        "while $q:\n    $out.append($q.popleft())\n    if $q:\n        $out.append($q.pop())\nreturn $out",
        "$q.appendleft({{10..20}})\n$q.extend([{{0..9}}, {{0..9}}])\n$q.rotate({{1..3}})\nreturn list($q){{[:3]|}}",
    )
    return d.make("""
        from collections import deque

        def $run($items):
            $q = deque($items)
            $out = []
            $use
        """, "$run({{@small 2 4}})", use=use)


@family
def binary_search_tree(d):
    """Insertion into a tree of nodes or nested lists, and a walk in order."""
    kind = d.r.random() < 0.5
    values = d.r.sample(range(1, 20), d.r.randint(2, 3))
    if kind:
        return d.make("""
            class $Node:
                def __init__(self, $key):
                    self.$key = $key
                    self.$left = self.$right = None

            def $insert($node, $key):
                if $node is None:
                    return $Node($key)
                if $key < $node.$key:
                    $node.$left = $insert($node.$left, $key)
                else:
                    $node.$right = $insert($node.$right, $key)
                return $node

            def $run($keys):
                $root = None
                for $k in $keys:
                    $root = $insert($root, $k)
                $node, $depth = $root, 0
                while $node.$side:
                    $node = $node.$side
                    $depth += 1
                return $node.$key, $depth
            """, "$run($given)", given=values, side=d.pick("$left", "$right"))
    body = d.pick(
        "return $walk_it($tree[0]) + [$tree[1]] + $walk_it($tree[2])",
        "return [$tree[1], *$walk_it($tree[0]), *$walk_it($tree[2])]",
        "$left, $key, $right = $tree\nreturn $walk_it($right) + [$key] + $walk_it($left)",
    )
    return d.make("""
        def $add($tree, $key):
            if not $tree:
                return [[], $key, []]
            $side = 0 if $key < $tree[1] else 2
            $tree[$side] = $add($tree[$side], $key)
            return $tree

        def $walk_it($tree):
            if not $tree:
                return []
            $body

        def $run($keys):
            $tree = []
            for $k in $keys:
                $tree = $add($tree, $k)
            return $walk_it($tree)
        """, "$run($given)", body=body, given=values[:3])


@family
def nested_tree_measures(d):
    """Depth, sum, leaves or the longest path of a tree given as nested tuples or dicts."""
    leaf = lambda: d.r.randint(1, 9)
    tree = d.pick((leaf(), (leaf(), leaf())), ((leaf(), leaf()), leaf(), (leaf(),)), (leaf(),), ((leaf(), (leaf(), leaf())),), (leaf(), leaf(), leaf()))
    combine = d.pick(
        "return {{1 + max($parts)|max($parts) + 1}}",
        "return sum($parts)",
        "$total = 0\nfor $p in $parts:\n    $total = $total {{* 2 + $p|+ $p}}\nreturn $total",
        "return len($parts) {{* sum($parts)|+ max($parts)}}",
    )
    return d.make("""
        def $measure($tree):
            if {{isinstance($tree, int)|not isinstance($tree, tuple)}}:
                return {{$tree|1|0}}
            $parts = [$measure($t) for $t in $tree]
            $combine
        """, "$measure($given)", combine=combine, given=tree)


@family
def min_heap(d):
    """`heapq`, or a heap's sift-up by hand."""
    use = d.pick("from heapq import heappush, heappop\n\ndef $run($xs):\n    $heap = []\n    for $x in $xs:\n        heappush($heap, $x)\n    $first = heappop($heap)\n    return $first, $heap",
                 "import heapq\n\ndef $run($xs):\n    heapq.heapify($xs)\n    $out = []\n    while len($xs) > {{1|2}}:\n        $out.append(heapq.heappop($xs))\n    return $out, {{heapq.nsmallest(2, $out)|$xs}}",
                 "def $push($heap, $x):\n    $heap.append($x)\n    $i = len($heap) - 1\n    while $i > 0 and $heap[$i] {{<|>}} $heap[($i - 1) // 2]:\n        $p = ($i - 1) // 2\n        $heap[$i], $heap[$p] = $heap[$p], $heap[$i]\n        $i = $p\n\ndef $run($xs):\n    $heap = []\n    for $x in $xs:\n        $push($heap, $x)\n    return $heap",
                 "import heapq\n\ndef $run($xs):\n    $jobs = [($x % {{3|4}}, $x) for $x in $xs]\n    heapq.heapify($jobs)\n    $order = []\n    while $jobs:\n        $rank, $x = heapq.heappop($jobs)\n        $order.append($x)\n    return $order")
    return d.make("$use", "$run($given)", use=use, given=d.r.sample(range(0, 30), d.r.randint(2, 4)))


@family
def undo_redo(d):
    """Two stacks of states: do, undo, redo."""
    cmds = [d.pick(str(d.r.randint(1, 9)), str(d.r.randint(1, 9)), "u", "r") for _ in range(d.r.randint(3, 6))]
    return d.make("""
        def $edit($commands):
            $value = {{0|10}}
            $undo, $redo = [], []
            for $c in $commands:
                if $c == "u":
                    if $undo:
                        $redo.append($value)
                        $value = $undo.pop()
                elif $c == "r":
                    if not $redo:
                        continue
                    $undo.append($value)
                    $value = $redo.pop()
                else:
                    $undo.append($value)
                    $value {{+=|-=}} int($c)
                    {{$redo.clear()|$redo = []}}
            return $value, {{$undo|$redo|len($undo)}}
        """, "$edit($given)", given=cmds)


@family
def monotonic_stack(d):
    """The next greater element, or how long until it, with a stack of indices."""
    how = d.pick(
        "for $i, $x in enumerate($xs):\n    while $stack and $xs[$stack[-1]] < $x:\n        $out[$stack.pop()] = {{$x|$i}}\n    $stack.append($i)",
        "for $i in range(len($xs) - 1, -1, -1):\n    while $stack and $stack[-1] <= $xs[$i]:\n        $stack.pop()\n    if $stack:\n        $out[$i] = $stack[-1]\n    $stack.append($xs[$i])",
        "for $i, $x in enumerate($xs):\n    while $stack and $stack[-1] >= $x:\n        $stack.pop()\n    $out[$i] = len($stack)\n    $stack.append($x)",
    )
    return d.make("""
        def $scan($xs):
            $out = [{{-1|0|None}}] * len($xs)
            $stack = []
            $how
            return $out
        """, "$scan({{@small 3 5}})", how=how)


@family
def circular_buffer(d):
    """A fixed list with a moving index; old values are overwritten."""
    return d.make("""
        class $Ring:
            def __init__(self, $size):
                self.$data = [{{None|0}}] * $size
                self.$at = 0

            def $push(self, $x):
                $old = self.$data[self.$at]
                self.$data[self.$at] = $x
                self.$at = (self.$at + 1) % len(self.$data)
                return $old

            def $items_of(self):
                return self.$data[self.$at:] + self.$data[:self.$at]

        def $run($xs):
            $ring = $Ring({{2..3}})
            $lost = []
            for $x in $xs:
                $lost.append($ring.$push($x))
            return {{$ring.$items_of()|$lost|$ring.$items_of(), $lost[-1]}}
        """, "$run({{@small 2 4}})")


@family
def tree_of_dicts(d):
    """Folders as nested dicts: sizes, paths, the biggest, made from paths or walked with a stack."""
    kind = d.pick("size", "paths", "build", "stack")
    tree = {"a": d.r.randint(1, 20), "bin": {"b": d.r.randint(1, 20), **d.pick({}, {"lib": {}}, {"c": d.r.randint(1, 9)})}}
    body, arg = {
        "size": ("$total = 0\nfor $name, $item in $arg.items():\n    if isinstance($item, dict):\n        $total += $visit_all($item)\n    else:\n        $total += $item\nreturn $total", tree),
        "paths": ("$out = []\nfor $name, $item in $arg.items():\n    if type($item) is dict:\n        $out += [$name + '/' + $p for $p in $visit_all($item)]\n    else:\n        $out.append($name{{| + str($item)}})\nreturn $out", tree),
        "build": ("$root = {}\nfor $path in $arg:\n    $node = $root\n    for $part in $path.split('/'):\n        $node = $node.setdefault($part, {})\nreturn {{$root|$root, len($root)}}", ["/".join(d.r.choices("abc", k=d.r.randint(1, 3))) for _ in range(d.r.randint(1, 3))]),
        "stack": ("$todo, $seen = [$arg], []\nwhile $todo:\n    $node = $todo.pop({{|0}})\n    for $name, $item in $node.items():\n        $seen.append($name)\n        if isinstance($item, dict):\n            $todo.append($item)\nreturn $seen", tree),
    }[kind]
    return d.make("""
        def $visit_all($arg):
            $body

        def $run($arg):
            $result = $visit_all($arg)
            return $result{{|, len($arg)}}
        """, "$run($given)", body=body, given=arg)


@family
def level_order(d):
    """Breadth first over children lists in a dict: levels, depths, the order of visits."""
    nodes = list("abcdef")[: d.r.randint(3, 5)]
    tree = {}
    for i, node in enumerate(nodes[1:], 1):
        tree.setdefault(nodes[d.r.randrange(max(0, i - 2), i)], []).append(node)
    body = d.pick(
        "$level, $levels = [$root], []\nwhile $level:\n    $levels.append($level)\n    $level = [$c for $n in $level for $c in $kids.get($n, [])]\nreturn $levels",
        "$queue, $order = [($root, 0)], []\nwhile $queue:\n    $node, $depth = $queue.pop(0)\n    $order.append(($node, $depth))\n    for $c in $kids.get($node, ()):\n        $queue.append(($c, $depth + 1))\nreturn {{$order|$order[-1]|max($dd for _, $dd in $order)}}",
        "$out = ''\n$queue = [$root]\nfor $node in $queue:\n    $out += $node\n    $queue.extend($kids.get($node, []))\nreturn $out",
    )
    return d.make("""
        def $visit_all($kids, $root={{"a"|"a"|"b"}}):
            $body
        """, "$visit_all($given)", body=body, given=tree)


@family
def lru_order(d):
    """A small cache that forgets what was used longest ago."""
    how = d.pick(
        "if $key in $cache:\n    $cache[$key] = $cache.pop($key)\n    $hits += 1\nelse:\n    if len($cache) == $size:\n        $oldest = next(iter($cache))\n        del $cache[$oldest]\n    $cache[$key] = $i",
        "if $key in $order:\n    $order.remove($key)\n    $hits += 1\n$order.append($key)\nif len($order) > $size:\n    $order.pop(0)",
    )
    return d.make("""
        def $simulate($keys, $size={{2|2|3}}):
            $cache, $order, $hits = {}, [], 0
            for $i, $key in enumerate($keys):
                $how
            return $hits, $left
        """, "$simulate($given)", how=how, left="$order" if "$order" in how else "{{list($cache)|$cache}}", given=repr("".join(d.pick(*"abc") for _ in range(d.r.randint(3, 6)))))
