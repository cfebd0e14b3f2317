# entry: main()
class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            missing = amount - self.balance
            raise ValueError(f"{self.owner} lacks {missing}")
        self.balance -= amount
        return self.balance


def main():
    account = Account("Ada", 100)
    account.withdraw(30)
    account.withdraw(90)
    return account.balance
