//! Reserved, not built yet: drawings, quizzes and exports as plain data and text. Must not know: terminals, models.
