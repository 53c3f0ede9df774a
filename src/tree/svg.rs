//! The tree as a picture for a sheet of paper, which is clear without colours too.
//!
//! Where the first player moves, boxes are round and lines solid; where the second does, boxes are square and lines
//! dashed. A double border is an end of play. What the winner should play is thick, what lies on no such line is pale.

use svg::Document;
use svg::node::element::{Group, Path, Rectangle, Text};

use super::layout::{BESIDE, LETTER, LINE, Layout, Point, whole, width};
use super::{Picture, Player, PositionBox};

/// Around everything.
const EDGE: i64 = 20;
const FONT: &str = "Verdana, 'DejaVu Sans', Arial, sans-serif";
const INK: &str = "#222222";

/// How the moves of one player are drawn.
struct Style {
    color: &'static str,
    pale: &'static str,
    fill: &'static str,
    dashes: &'static str,
    corner: i64,
}

const FIRST: Style = Style { color: "#1c5d99", pale: "#a5c0d8", fill: "#e4eef8", dashes: "none", corner: 11 };
const SECOND: Style = Style { color: "#b34700", pale: "#e0bda3", fill: "#fdeee2", dashes: "6 4", corner: 0 };

const fn style(player: Player) -> &'static Style {
    match player {
        Player::First => &FIRST,
        Player::Second => &SECOND,
    }
}

/// Writes the tree as SVG text.
#[must_use]
pub fn svg(picture: &Picture) -> String {
    let layout = Layout::new(picture);
    let heading = Heading::new(picture);
    // level names stand before the first box in each direction
    let labels = (1..layout.levels.len()).map(|level| level_name(picture, level)).collect::<Vec<_>>();
    let longest = labels.iter().flatten().map(|label| width(label)).max().unwrap_or(0);
    let origin = match (labels.is_empty(), layout.sideways) {
        (true, _) => Point { x: EDGE, y: EDGE + heading.height },
        (_, false) => Point { x: EDGE + longest + 24, y: EDGE + heading.height },
        (_, true) => Point { x: EDGE, y: EDGE + heading.height + 2 * LINE + 10 },
    };
    let size = Point {
        x: (origin.x + layout.extent.x).max(EDGE + heading.width) + EDGE,
        y: origin.y + layout.extent.y + EDGE,
    };
    let sheet = Sheet { picture, layout: &layout, origin };
    let background = Rectangle::new().set("width", size.x).set("height", size.y).set("fill", "#ffffff");
    let document = Document::new()
        .set("width", size.x)
        .set("height", size.y)
        .set("viewBox", (0, 0, size.x, size.y))
        .set("font-family", FONT)
        .set("font-size", LETTER)
        .set("fill", INK)
        .add(background)
        .add(heading.drawn)
        .add(sheet.levels(&labels))
        .add(sheet.moves())
        .add(sheet.boxes())
        .add(sheet.names());
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{document}\n")
}

/// Title, caption and what the signs mean.
struct Heading {
    drawn: Group,
    width: i64,
    height: i64,
}

impl Heading {
    fn new(picture: &Picture) -> Self {
        let mut heading = Self { drawn: Group::new(), width: 0, height: LINE };
        let title = words(&picture.title, EDGE, EDGE + heading.height).set("font-weight", "bold").set("font-size", 16);
        heading.drawn = heading.drawn.add(title);
        // bold letters are wider
        heading.width = width(&picture.title) * 18 / LETTER;
        let caption = picture.caption();
        if !caption.is_empty() {
            heading.height += LINE + 6;
            heading.width = heading.width.max(width(&caption));
            heading.drawn = heading.drawn.add(words(&caption, EDGE, EDGE + heading.height));
        }
        if !picture.puzzle && picture.boxes.len() > 1 {
            heading.legend();
        }
        heading.height += 26;
        heading
    }

    fn legend(&mut self) {
        self.height += LINE + 8;
        let mut x = EDGE;
        for (player, text) in [(Player::First, "the first player moves"), (Player::Second, "the second player moves")] {
            let middle = EDGE + self.height - 5;
            let sample = Point { x: x + 14, y: middle };
            let stroke = Path::new().set("d", format!("M{},{middle} h34", x + 28)).set("fill", "none");
            let stroke = drawn(stroke, style(player).color, style(player).dashes, 2);
            let place = rectangle(sample, Point { x: 28, y: 18 }, 2 * style(player).corner / 3);
            let place = place.set("fill", style(player).fill).set("stroke", style(player).color);
            x += 28 + 34 + 8;
            let told = words(text, x, EDGE + self.height);
            x += width(text) + 28;
            self.drawn = std::mem::replace(&mut self.drawn, Group::new()).add(stroke).add(place).add(told);
        }
        self.width = self.width.max(x - EDGE);
    }
}

/// What is drawn of the tree itself.
struct Sheet<'a> {
    picture: &'a Picture,
    layout: &'a Layout,
    origin: Point,
}

impl Sheet<'_> {
    fn middle(&self, at: usize) -> Point {
        let middle = self.layout.middles.get(at).copied().unwrap_or_default();
        Point { x: middle.x + self.origin.x, y: middle.y + self.origin.y }
    }

    fn levels(&self, labels: &[[String; 2]]) -> Group {
        let mut group = Group::new().set("fill", "#555555");
        for (lines, pair) in labels.iter().zip(self.layout.levels.windows(2)) {
            let between = i64::midpoint(pair[0], pair[1]);
            for (at, line) in lines.iter().enumerate() {
                let below = whole(at) * LINE;
                let told = if self.layout.sideways {
                    let top = EDGE + LINE / 2 + self.origin.y - EDGE - 2 * LINE - 10;
                    words(line, between + self.origin.x, top + below).set("text-anchor", "middle")
                } else {
                    words(line, EDGE, between + self.origin.y + below)
                };
                group = group.add(told);
            }
        }
        group
    }

    fn moves(&self) -> Group {
        let mut group = Group::new().set("fill", "none");
        // thick lines are drawn last, above the others
        let pale = !self.picture.boxes.iter().any(|place| place.on_line);
        for pass in 0..2 {
            for (at, place) in self.picture.boxes.iter().enumerate() {
                let Some(before) = place.before.filter(|_| usize::from(place.on_line) == pass) else { continue };
                let style = self.style(place.mover.other());
                let color = if place.on_line || pale { style.color } else { style.pale };
                let wide = if place.winning { 4 } else { 2 };
                group = group.add(drawn(self.curve(before, at), color, style.dashes, wide));
            }
        }
        group
    }

    /// A line from one box to another that leaves and arrives in the direction of play.
    fn curve(&self, before: usize, at: usize) -> Path {
        let (from, to, half) = (self.middle(before), self.middle(at), self.layout.size);
        let path = if self.layout.sideways {
            let (left, right) = (from.x + half.x / 2, to.x - half.x / 2);
            let bend = left + 30;
            format!("M{left},{} C{bend},{} {left},{} {bend},{} H{right}", from.y, from.y, to.y, to.y)
        } else {
            let (top, bottom) = (from.y + half.y / 2, to.y - half.y / 2);
            let bend = top + 38;
            format!("M{},{top} C{},{bend} {},{top} {},{bend} V{bottom}", from.x, from.x, to.x, to.x)
        };
        Path::new().set("d", path)
    }

    fn boxes(&self) -> Group {
        let mut group = Group::new().set("text-anchor", "middle");
        for (at, place) in self.picture.boxes.iter().enumerate() {
            let middle = self.middle(at);
            for border in self.borders(place, middle) {
                group = group.add(border);
            }
            let lines = self.layout.texts.get(at).map_or(&[][..], Vec::as_slice);
            let top = middle.y - whole(lines.len()) * LINE / 2 - 4;
            for (number, line) in lines.iter().enumerate() {
                let remark = number + 1 == lines.len() && place.remark().is_some() && !self.layout.beside;
                let told = words(line, middle.x, top + whole(number + 1) * LINE);
                group = group.add(if remark { told.set("font-weight", "bold") } else { told });
            }
            if let Some(remark) = place.remark().filter(|_| self.layout.beside) {
                let told = words(remark, middle.x + self.layout.size.x / 2 + 8, middle.y + 4);
                group = group.add(told.set("font-weight", "bold").set("text-anchor", "start"));
            }
        }
        group
    }

    fn borders(&self, place: &PositionBox, middle: Point) -> Vec<Rectangle> {
        let size = self.layout.size;
        if place.is_over() {
            let inner = Point { x: size.x - 6, y: size.y - 6 };
            let plain = |size| rectangle(middle, size, 0).set("fill", "#ffffff").set("stroke", INK);
            return vec![plain(size), plain(inner)];
        }
        let style = self.style(place.mover);
        vec![rectangle(middle, size, style.corner).set("fill", style.fill).set("stroke", style.color)]
    }

    /// The names of the moves, each at the end of its line: beside it, or above it where it lies.
    fn names(&self) -> Group {
        let mut group = Group::new().set("paint-order", "stroke").set("stroke", "#ffffff").set("stroke-width", 3);
        let anchor = if self.layout.sideways { "end" } else { "start" };
        group = group.set("font-size", LETTER - 1).set("text-anchor", anchor);
        for (at, place) in self.picture.boxes.iter().enumerate() {
            let Some(name) = self.picture.name(place) else { continue };
            let (middle, size) = (self.middle(at), self.layout.size);
            let told = if self.layout.sideways {
                words(name, middle.x - size.x / 2 - 6, middle.y - 6)
            } else {
                words(name, middle.x + BESIDE, middle.y - size.y / 2 - 8)
            };
            group = group.add(told);
        }
        group
    }

    /// The one player of a puzzle has the signs of the first.
    const fn style(&self, player: Player) -> &'static Style {
        style(if self.picture.puzzle { Player::First } else { player })
    }
}

/// `move 3`, and who makes it.
fn level_name(picture: &Picture, level: usize) -> [String; 2] {
    let place = picture.boxes.iter().find(|place| place.level == level);
    let who = match place.map(|place| place.mover.other()) {
        Some(player) if !picture.puzzle => format!("{} player", player.word()),
        _ => String::new(),
    };
    [format!("move {level}"), who]
}

fn words(text: &str, x: i64, y: i64) -> Text {
    // no file of this kind may hold control characters
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Text::new(text).set("x", x).set("y", y)
}

fn rectangle(middle: Point, size: Point, corner: i64) -> Rectangle {
    let (x, y) = (middle.x - size.x / 2, middle.y - size.y / 2);
    let rectangle = Rectangle::new().set("x", x).set("y", y).set("width", size.x).set("height", size.y);
    rectangle.set("rx", corner)
}

fn drawn(path: Path, color: &str, dashes: &str, wide: i64) -> Path {
    let path = path.set("stroke", color).set("stroke-width", wide);
    if dashes == "none" { path } else { path.set("stroke-dasharray", dashes) }
}
