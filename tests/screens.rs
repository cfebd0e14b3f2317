//! The screen, driven by real keys through the real loop, on a terminal in memory.

mod stage;

use stage::Stage;

#[test]
fn probe() {
    let mut stage = Stage::new(120, 40, true);
    stage.keys("s s n n n n s v y n n n n n n n n n n");
    println!("{}", stage.screen());
    let mut stage = Stage::new(80, 24, true);
    stage.keys("n n n n v y s s s n n n n n n n n n n");
    println!("{}", stage.screen());
}
