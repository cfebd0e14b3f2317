# entry: bubble_sort([4, 1, 3, 2])
def bubble_sort(items):
    end = len(items) - 1
    while end > 0:
        swapped = False
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            break
        end -= 1
    return items
