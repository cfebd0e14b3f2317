//! Which lines of a program a model reads.
//!
//! [`context`] is one function for training, evaluation and sessions: the closure of the
//! entry over the outline's names, cut by distance. Must not know what will be executed:
//! it sees the program's text and entry only, so a prompt never gives an answer away.

use crate::program::outline::{Lines, Outline, ScopeId, ScopeKind, Statement, StatementKind, Use};
use crate::program::{Entry, Loc, Program};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The lines a model reads, and what it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Kept lines in order, with the blank and comment lines above each kept block.
    pub lines: Vec<Loc>,
    /// Blocks that the entry reaches by name and that did not fit, nearest first.
    pub cut: Vec<Cut>,
    /// How many blocks were left out because the entry does not reach them.
    pub unreached: usize,
}

impl Context {
    /// Whether every line of every file is kept.
    pub fn is_whole(&self, program: &Program) -> bool {
        self.lines.len() == program.files.iter().map(|f| f.lines.len()).sum::<usize>()
    }
}

/// A block that did not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Its first line.
    pub loc: Loc,
    /// What to call it: the function or class, else its first source line.
    pub name: String,
    /// How many lines it has.
    pub lines: usize,
    /// Over how many names the entry reaches it.
    pub distance: usize,
}

/// Chooses the lines for a program and its entry.
///
/// For a function: its block, then what it names, then what that names, and so on, nearest
/// first while the sum of `cost` (of a line, given its place and text) stays within `budget`. For the module:
/// every line it runs itself, then the bodies of its functions likewise, reached ones
/// first; all lines, if they fit. The entry's own block is always kept, even over budget.
pub fn context(program: &Program, budget: usize, cost: impl Fn(Loc, &str) -> usize) -> Context {
    let start = start(program);
    let mut blocks = Vec::new();
    for (file, source) in (0u16..).zip(&program.files) {
        collect(&source.outline, file, start.is_none(), &mut blocks);
    }
    let cost_of = |block: &Block| -> usize {
        let lines = block.lines.iter().flat_map(|lines| lines.iter());
        let places = lines.map(|line| Loc { file: block.file, line });
        places.filter_map(|loc| Some(cost(loc, program.source(loc)?))).sum()
    };

    let mut names = Names::of(&blocks);
    let mut reached = vec![false; blocks.len()];
    let mut kept = vec![false; blocks.len()];
    let mut result = Context { lines: Vec::new(), cut: Vec::new(), unreached: 0 };
    let mut spent = 0;
    let mut queue: VecDeque<(usize, usize)> = VecDeque::new();
    for (i, _) in (0..).zip(&blocks).filter(|(_, block)| block.is_start(start)) {
        mark(&mut reached, i);
        queue.push_back((i, 0));
    }
    while let Some((i, distance)) = queue.pop_front() {
        let Some(block) = blocks.get(i) else { continue };
        let price = cost_of(block);
        if distance > 0 && spent + price > budget {
            result.cut.push(block.cut(program, distance));
            continue;
        }
        spent += price;
        mark(&mut kept, i);
        for j in names.follow(&blocks, i) {
            if !mark(&mut reached, j) {
                queue.push_back((j, distance + 1));
            }
        }
        // A method is unreadable without the head of its class.
        if let Some(class) = block.class {
            mark(&mut reached, class);
            if !mark(&mut kept, class) {
                spent += blocks.get(class).map_or(0, cost_of);
            }
        }
    }
    for (i, block) in blocks.iter().enumerate() {
        if reached.get(i) == Some(&true) {
            continue;
        }
        let price = cost_of(block);
        if start.is_none() && spent + price <= budget {
            spent += price;
            mark(&mut kept, i);
        } else {
            result.unreached += 1;
        }
    }
    // A class head that came with a method was not cut after all.
    let kept_at = blocks.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(b, _)| b.loc());
    let kept_at: BTreeSet<Loc> = kept_at.collect();
    result.cut.retain(|cut| !kept_at.contains(&cut.loc));
    result.lines = lines(program, &blocks, &kept);
    result
}

/// Sets a flag; whether it was set before.
fn mark(flags: &mut [bool], i: usize) -> bool {
    flags.get_mut(i).is_none_or(|flag| std::mem::replace(flag, true))
}

/// The place whose block is kept first; `None`: the module.
fn start(program: &Program) -> Option<Loc> {
    let name = match &program.entry {
        Entry::Module => return None,
        Entry::At { loc, .. } | Entry::Returns { loc: Some(loc), .. } => {
            let outline = program.outline(loc.file)?;
            let scope = outline.scope(outline.scope_at(loc.line))?;
            return (scope.kind != ScopeKind::Module).then_some(*loc);
        }
        Entry::Call { function, .. }
        | Entry::Invent { function }
        | Entry::Returns { function, .. } => function,
    };
    (0u16..).zip(&program.files).find_map(|(file, source)| {
        source.outline.function(name).map(|(_, scope)| Loc { file, line: scope.line })
    })
}

/// Lines that are kept or cut together.
struct Block {
    file: u16,
    lines: Vec<Lines>,
    /// Name of the function or class.
    name: Option<String>,
    /// Names by which other blocks reach it.
    binds: BTreeSet<String>,
    /// Names it reads.
    reads: BTreeSet<String>,
    /// Attributes it uses: how methods are reached.
    attributes: BTreeSet<String>,
    /// For a method, the index of its class's block.
    class: Option<usize>,
    /// Whether the module runs these lines itself.
    of_module: bool,
}

impl Block {
    /// The first line.
    fn loc(&self) -> Loc {
        Loc { file: self.file, line: self.lines.first().map_or(1, |lines| lines.first) }
    }

    fn is_start(&self, start: Option<Loc>) -> bool {
        match start {
            None => self.of_module && self.file == 0,
            Some(at) => self.file == at.file && self.lines.iter().any(|l| l.contains(at.line)),
        }
    }

    fn cut(&self, program: &Program, distance: usize) -> Cut {
        let loc = self.loc();
        let text = || program.source(loc).map_or("", |text| text.trim()).to_string();
        let lines = self.lines.iter().map(|lines| lines.iter().count()).sum();
        Cut { loc, name: self.name.clone().unwrap_or_else(text), lines, distance }
    }

    fn new(outline: &Outline, file: u16, lines: Vec<Lines>) -> Self {
        let mut block = Block {
            file,
            lines,
            name: None,
            binds: BTreeSet::new(),
            reads: BTreeSet::new(),
            attributes: BTreeSet::new(),
            class: None,
            of_module: false,
        };
        for line in block.lines.iter().flat_map(|lines| lines.iter()) {
            for name in outline.names(line) {
                let set = match name.usage {
                    Use::Read => &mut block.reads,
                    Use::Attribute => &mut block.attributes,
                    Use::Bind | Use::Delete if name.scope == 0 => &mut block.binds,
                    Use::Bind | Use::Delete => continue,
                };
                set.insert(name.name.clone());
            }
        }
        block
    }
}

/// Cuts a file into blocks: functions, methods, classes without their methods, and other
/// statements of the module. With `module`, headers belong to what the module runs itself.
fn collect(outline: &Outline, file: u16, module: bool, blocks: &mut Vec<Block>) {
    let body_of = |s: &Statement| {
        if module {
            let body = Lines { first: s.lines.last + 1, last: s.end };
            return (body.first <= body.last).then_some(body);
        }
        // With the blank and comment lines above it.
        let mut first = s.lines.first;
        while first > 1 && outline.statement_at(first - 1).is_none() {
            first -= 1;
        }
        Some(Lines { first, last: s.end })
    };
    let mut taken = 0;
    for (i, statement) in outline.statements().iter().enumerate() {
        if !is_direct(statement, 0) {
            continue;
        }
        let whole = Lines { first: statement.lines.first, last: statement.end };
        // several on one line are one block, or a long line would be read once for each
        if whole.last <= taken {
            continue;
        }
        taken = whole.last;
        let name = |s: &Statement| Some(outline.scope(s.opens?)?.qualname.clone());
        let methods: Vec<&Statement> = match (statement.kind, statement.opens) {
            (StatementKind::Def, _) => vec![statement],
            (StatementKind::Class, Some(scope)) => {
                let below = outline.statements().iter().skip(i + 1);
                let body = below.take_while(|s| s.lines.first <= statement.end);
                body.filter(|s| is_direct(s, scope) && s.kind == StatementKind::Def).collect()
            }
            _ => Vec::new(),
        };
        let bodies: Vec<Lines> = methods.iter().filter_map(|s| body_of(s)).collect();
        let rest = without(whole, &bodies);
        let is_class = statement.kind == StatementKind::Class;
        let class = is_class.then_some(blocks.len());
        if !rest.is_empty() {
            let shell = Block::new(outline, file, rest);
            let name = name(statement);
            blocks.push(Block { name, of_module: true, ..shell });
        }
        for method in methods {
            let Some(body) = body_of(method) else { continue };
            let block = Block::new(outline, file, vec![body]);
            let called = outline.scope(method.opens.unwrap_or(0)).map(|s| s.name.clone());
            let binds = called.into_iter().collect();
            blocks.push(Block { name: name(method), binds, class, ..block });
        }
    }
}

/// Whether a statement stands directly in a scope's body.
fn is_direct(statement: &Statement, scope: ScopeId) -> bool {
    statement.scope == scope && statement.parent.is_none()
}

/// A range without others inside it, which are in order.
fn without(whole: Lines, holes: &[Lines]) -> Vec<Lines> {
    let mut rest = Vec::new();
    let mut first = whole.first;
    for hole in holes {
        if first < hole.first {
            rest.push(Lines { first, last: hole.first - 1 });
        }
        first = first.max(hole.last + 1);
    }
    if first <= whole.last {
        rest.push(Lines { first, last: whole.last });
    }
    rest
}

/// Which blocks a name may mean. Each name is followed once: what it means is reached then, and
/// in a long file a name may be bound as often as it is read.
struct Names<'a> {
    /// Functions, classes and other names of the module.
    global: BTreeMap<&'a str, Vec<usize>>,
    /// Methods, by attribute.
    methods: BTreeMap<&'a str, Vec<usize>>,
    /// By class, the methods that Python calls by itself.
    implicit: BTreeMap<usize, Vec<usize>>,
}

impl<'a> Names<'a> {
    fn of(blocks: &'a [Block]) -> Self {
        let mut global: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut methods: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, block) in blocks.iter().enumerate() {
            let map = if block.class.is_some() { &mut methods } else { &mut global };
            for name in &block.binds {
                map.entry(name.as_str()).or_default().push(i);
            }
        }
        let mut implicit: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (_, found) in methods.iter().filter(|(name, _)| name.starts_with("__")) {
            for &method in found {
                if let Some(class) = blocks.get(method).and_then(|block| block.class) {
                    implicit.entry(class).or_default().push(method);
                }
            }
        }
        Names { global, methods, implicit }
    }

    /// Blocks that a block may reach by names that were not followed before, in order of name;
    /// a class brings the methods that Python calls by itself, a method its class.
    fn follow(&mut self, blocks: &[Block], i: usize) -> Vec<usize> {
        let Some(block) = blocks.get(i) else { return Vec::new() };
        let mut found = Vec::new();
        for name in &block.reads {
            found.extend(self.global.remove(name.as_str()).unwrap_or_default());
        }
        for name in &block.attributes {
            for map in [&mut self.global, &mut self.methods] {
                found.extend(map.remove(name.as_str()).unwrap_or_default());
            }
        }
        found.extend(self.implicit.get(&i).into_iter().flatten());
        found.extend(block.class);
        found
    }
}

/// The kept lines in order. Blank and comment lines belong to the block below them.
fn lines(program: &Program, blocks: &[Block], kept: &[bool]) -> Vec<Loc> {
    let mut lines = Vec::new();
    let all = kept.iter().all(|&kept| kept);
    for (file, source) in (0u16..).zip(&program.files) {
        let mut owner: Vec<Option<bool>> = vec![None; source.lines.len()];
        for (block, &kept) in blocks.iter().zip(kept).filter(|(b, _)| b.file == file) {
            for line in block.lines.iter().flat_map(|lines| lines.iter()) {
                if let Some(slot) = owner.get_mut(line as usize - 1) {
                    // `a = 1; b = 2` is one line of two blocks.
                    *slot = Some(kept || *slot == Some(true));
                }
            }
        }
        let mut below = all;
        for slot in owner.iter_mut().rev() {
            below = slot.unwrap_or(below);
            slot.get_or_insert(below);
        }
        let chosen = (1u32..).zip(&owner).filter(|(_, kept)| **kept == Some(true));
        let blank = |line: u32| source.line(line).is_none_or(|text| text.trim().is_empty());
        let start = lines.len();
        for (line, _) in chosen {
            if all || lines.len() > start || !blank(line) {
                lines.push(Loc { file, line });
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::SourceFile;

    const PROGRAM: &str = "\
import math

LIMIT = 3
UNUSED = 4


# Twice.
def double(x):
    return 2 * x


def helper(x):

    return double(x) + LIMIT

class Box(Base):
    size = 1

    def __init__(self, v):
        self.v = v

    def get(self):
        return math.sqrt(self.v)

    def never(self):
        return UNUSED

def f(n):
    return Box(helper(n)).get()

if __name__ == '__main__':
    f(3)
";

    fn program(entry: Entry) -> Program {
        let (file, problems) = SourceFile::from_text("t.py", PROGRAM);
        assert_eq!(problems, []);
        Program { files: vec![file], entry }
    }

    fn invent(name: &str) -> Program {
        program(Entry::Invent { function: name.into() })
    }

    fn shown(program: &Program, budget: usize) -> (Vec<u32>, Vec<String>) {
        let context = context(program, budget, |_, _| 1);
        let cut = context.cut.into_iter().map(|c| c.name).collect();
        (context.lines.into_iter().map(|l| l.line).collect(), cut)
    }

    #[test]
    fn statements_of_one_line_are_one_block() {
        let source: String = (0..50).map(|i| format!("x{i} = {i}; ")).collect();
        let text = format!("{source}\ny = x1; z = [\n]\nw = 1\n");
        let (file, _) = SourceFile::from_text("t.py", &text);
        let mut blocks = Vec::new();
        collect(&file.outline, 0, true, &mut blocks);
        let lines = |block: &Block| block.lines.iter().flat_map(|l| l.iter()).collect::<Vec<_>>();
        let lines: Vec<_> = blocks.iter().map(lines).collect();
        assert_eq!(lines, [vec![1], vec![2, 3], vec![4]]);
    }

    #[test]
    fn the_closure_of_a_function() {
        let (lines, cut) = shown(&invent("double"), 99);
        assert_eq!((lines, cut), (vec![7, 8, 9], vec![]));
        let (lines, cut) = shown(&invent("f"), 99);
        let kept = (1..=31).filter(|l| *l != 4 && !(24..=26).contains(l));
        let expected: Vec<u32> = kept.filter(|l| *l < 30).collect();
        assert_eq!((lines, cut), (expected, vec![]));
        let (lines, _) = shown(&invent("Box.never"), 99);
        assert_eq!(lines, [4, 15, 16, 17, 18, 19, 20, 24, 25, 26]);
    }

    #[test]
    fn far_blocks_are_cut_first_and_the_entry_never() {
        let context = context(&invent("f"), 11, |_, _| 1);
        let cut: Vec<_> = context.cut.iter().map(|c| (c.name.as_str(), c.distance)).collect();
        assert_eq!(cut, [("Box.get", 1), ("Box.__init__", 2), ("double", 2)]);
        let kept: Vec<u32> = context.lines.iter().map(|l| l.line).collect();
        assert_eq!(kept, [3, 10, 11, 12, 13, 14, 15, 16, 17, 27, 28, 29]);
        let (lines, _) = shown(&invent("f"), 0);
        assert_eq!(lines, [28, 29]);
    }

    #[test]
    fn a_module_is_whole_or_loses_bodies() {
        let module = program(Entry::Module);
        assert!(super::context(&module, 99, |_, _| 1).is_whole(&module));
        let (lines, cut) = shown(&module, 20);
        assert!(lines.contains(&28) && lines.contains(&29) && lines.contains(&31));
        assert!(!lines.contains(&26), "never is not reached: {lines:?}");
        assert!(!cut.is_empty());
    }
}
