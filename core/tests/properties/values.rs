//! Values of every type that properties of the fixture can have.

use sinew::component::Kind;
use sinew::material::{Law, MaterialSpec};
use sinew::model::Model;
use sinew::property::{Pose, PropertyRef, PropertyType, Value};
use sinew::{Mat3, Vec3};

/// Numbers that look random and are the same in every run (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between the ends of a range, or within ten of the one that it has.
    fn number(&mut self, property: &PropertyRef) -> f64 {
        let info = property.info();
        let (low, high) = (info.range.low().0, info.range.high().0);
        // A constant that laws have in different ranges: in most of them half of the time.
        let (free, name) = (low.is_infinite() && high.is_infinite(), info.name);
        if free && name.starts_with("material.") && self.unit() < 0.5 {
            return self.unit();
        }
        let low = if low.is_finite() { low } else { high.min(10.0) - 20.0 };
        let high = if high.is_finite() { high } else { low.max(-10.0) + 20.0 };
        let x = low + (0.01 + 0.98 * self.unit()) * (high - low);
        // The two constants of Mooney and Rivlin whose sum must be positive.
        if ["material.c10", "material.c01"].contains(&info.name) { x.abs() } else { x }
    }

    /// A value that the property can have; `None` for what can only be read, and for code.
    pub(crate) fn value(&mut self, model: &Model, property: &PropertyRef) -> Option<Value> {
        let info = property.info();
        if info.read_only {
            return None;
        }
        let mut number = || self.number(property);
        Some(match info.value_type {
            PropertyType::Bool => Value::Bool(self.unit() < 0.5),
            // Its closure writes one.
            PropertyType::Int if info.name == "rows" => Value::Int(1),
            PropertyType::Int => Value::Int(number().round() as i64),
            PropertyType::Real => Value::Real(number()),
            PropertyType::Vector => Value::Vector(Vec3::from_fn(|_, _| number())),
            // An inertia, or a prestrain of a tissue or of a sheet, which has no shear across it.
            PropertyType::Matrix => {
                let moments = Vec3::from_fn(|_, _| 3.0 + self.unit());
                let mut matrix = Mat3::from_diagonal(&moments) + Mat3::repeat(0.1 * self.unit());
                if property.host().component().kind() == Kind::Shell {
                    [(0, 2), (1, 2), (2, 0), (2, 1)].iter().for_each(|&at| matrix[at] = 0.0);
                }
                Value::Matrix(matrix)
            }
            PropertyType::Colour => Value::Colour([(); 3].map(|()| number() as f32)),
            PropertyType::Choice(words) => Value::Choice(self.choice(property, words)),
            PropertyType::Text => Value::Text(self.text(property)?),
            PropertyType::Path => Value::Path(self.target(property).to_owned()),
            PropertyType::Paths => {
                let targets = self.targets(property);
                Value::Paths(targets.into_iter().map(str::to_owned).collect())
            }
            PropertyType::List => Value::List(self.list(model, property)),
            PropertyType::Pose => {
                let turn = Vec3::from_fn(|_, _| number());
                let place = Vec3::from_fn(|_, _| number());
                Value::Pose(Pose::new(place, turn))
            }
        })
    }

    /// One of some words.
    fn choice(&mut self, property: &PropertyRef, words: &'static [&'static str]) -> &'static str {
        if words == MaterialSpec::WORDS {
            let muscle = property.host().component().kind() == Kind::MuscleBundle;
            let fits = |law: &Law| law.kind().muscle == muscle;
            let laws: Vec<Law> = Law::ALL.into_iter().filter(fits).collect();
            return laws[(self.unit() * laws.len() as f64) as usize].kind().name;
        }
        // Without that of code, which is not registered here.
        let count = if property.info().name == "law" { 3 } else { words.len() };
        words[(self.unit() * count as f64) as usize]
    }

    /// A text that the property can have; `None` for what is code in the fixture.
    fn text(&mut self, property: &PropertyRef) -> Option<String> {
        let (name, kind) = (property.info().name, property.host().component().kind());
        Some(match name {
            "coordinate" => "theta".to_owned(),
            "surface" if property.host().component().kind() == Kind::ClosedVolume => {
                "around".to_owned()
            }
            "surface" => "skin".to_owned(),
            "widgets" => "slider".to_owned(),
            "field" => "lines".to_owned(),
            "property" if kind == Kind::Sensor => "position".to_owned(),
            "property" => "mass".to_owned(),
            "file" if kind == Kind::OutputProbe => format!("n{}.csv", self.next()),
            // Rows stand in place of a file.
            "file" | "columns" => String::new(),
            "clamped" | "moves" | "active_coordinate" => String::new(),
            "variables" | "motion" => return None,
            "code" if kind != Kind::PropertyController => return None,
            _ => self.formula(name),
        })
    }

    /// A formula for a property of this name, or a word for one without.
    fn formula(&mut self, name: &str) -> String {
        match name {
            "field.prestrain" => {
                format!("{} + x * x; 0; 0; 0; 1; 0; 0; 0; 1", 0.1 * self.unit() + 1.0)
            }
            "field.fibres" | "field.sheets" => format!("1 + x; {}; 0.1", 2.0 + self.unit()),
            "thickness" => format!("0.001 * ({} + x * x)", self.unit() + 0.5),
            "input" | "when" => format!("t + {}", self.unit()),
            "command" => format!("set /models/outer/particles/bob:mass {}", 1.0 + self.unit()),
            "expressions" => {
                format!("n = {{/models/outer/particles/hung:velocity.x}} + {}", self.unit())
            }
            _ if name.starts_with("field.") => {
                format!("{} + x * x / 100", 0.1 * self.unit() + 0.05)
            }
            _ => format!("n{}", self.next()),
        }
    }

    fn target(&mut self, property: &PropertyRef) -> &'static str {
        let points = [
            "/models/outer/particles/bob",
            "/models/outer/models/inner/particles/pin",
            "/models/outer/fem_models/soft/nodes/7",
        ];
        let bodies = ["/models/outer/rigid_bodies/jaw", "/models/outer/rigid_bodies/hyoid", ""];
        let soft = "/models/outer/fem_models/soft";
        let kind = property.host().component().kind();
        let of = |list: &[&'static str], unit: f64| list[(unit * list.len() as f64) as usize];
        let free = ["/models/outer/rigid_bodies/tooth", bodies[1]];
        match (kind, property.info().name) {
            (Kind::PropertyController, _) => "/models/outer/particles/hung",
            (Kind::FrameAttachment, "body") => of(&free, self.unit()),
            (Kind::MuscleBundle | Kind::Shell, _) => soft,
            (Kind::BodyLoad | Kind::SurfaceLoad | Kind::ClosedVolume, _) => {
                "/models/outer/models/inner/fem_models/stiff"
            }
            (Kind::FrameMarker, "active_joint") => "",
            (Kind::FrameMarker | Kind::FrameLoad, _) => of(&bodies[..2], self.unit()),
            // Those that have a surface.
            (Kind::Collider, _) => {
                of(&[bodies[0], "/models/outer/rigid_bodies/skull"], self.unit())
            }
            (_, "a") => of(&[bodies[0], soft, points[0], "/models/outer", ""], self.unit()),
            (_, "b") => of(&[bodies[1], "/models/outer/colliders/floor", ""], self.unit()),
            // The ones that are not on the other side.
            (Kind::CoordinateActuator, _) => "/models/outer/connectors/own",
            (_, "body") => of(&bodies, self.unit()),
            (_, "body_c") => of(&bodies, self.unit()),
            (_, "body_d") => of(&bodies[1..], self.unit()),
            (_, "anchor") => of(&[bodies[1], "", "/models/outer/frame_markers/chin"], self.unit()),
            (_, "master") => of(&[bodies[1], soft, points[0]], self.unit()),
            _ => of(&points, self.unit()),
        }
    }

    fn targets(&mut self, property: &PropertyRef) -> Vec<&'static str> {
        let rope = "/models/outer/axial_springs/rope";
        match (property.host().component().kind(), property.info().name) {
            (_, "properties") => vec!["/models/outer/particles/hung:mass"],
            (Kind::ReferenceList, _) => vec![rope, "/"],
            (Kind::FrameMarker, _) | (Kind::CustomConstrainer, "bodies") => Vec::new(),
            (Kind::Sensor | Kind::CustomConstrainer, _) => vec!["/models/outer/particles/hung"],
            (Kind::JointCoordinateCoupling, _) => vec!["/models/outer/connectors/own"; 2],
            (Kind::MultiPointSpring, "wrap_surfaces") => {
                vec!["/models/outer/wrap_surfaces/pulley"]
            }
            (Kind::MuscleExciter, _) => vec![rope, "/models/outer/multi_point_springs/linear"],
            (Kind::FrameAttachment, _) => vec![
                "/models/outer/fem_models/soft/nodes/5",
                "/models/outer/fem_models/soft/nodes/6",
                "/models/outer/fem_models/soft/nodes/9",
            ],
            _ => vec!["/models/outer/particles/hung", self.target(property)],
        }
    }

    /// Whole numbers from 0 to below `most`.
    fn some(&mut self, count: usize, most: f64) -> Vec<f64> {
        (0..count).map(|_| (self.unit() * most).floor()).collect()
    }

    /// Whole numbers from 1 to `most`.
    fn some_from_one(&mut self, count: usize, most: f64) -> Vec<f64> {
        self.some(count, most).into_iter().map(|x| x + 1.0).collect()
    }

    fn list(&mut self, model: &Model, property: &PropertyRef) -> Vec<f64> {
        let kind = property.host().component().kind();
        let own = || model.get_property(property).unwrap().numbers().len();
        match property.info().name {
            "weights" if kind == Kind::FrameAttachment => self.some_from_one(3, 100.0),
            "weights" => self.some(model.fem(0).mesh.nodes.len(), 100.0),
            "schedule" => vec![0.0, self.unit(), 0.5, self.unit(), 2.0, self.unit()],
            "elements" if kind == Kind::MuscleBundle => vec![1.0, 0.0],
            "elements" => self.some(3, 2.0),
            "low" => vec![-1.0 - self.unit()],
            "high" => vec![1.0 + self.unit()],
            "data" | "table" => vec![0.0, self.unit(), 1.0, self.unit()],
            "fibres" | "sheets" => self.some_from_one(3, 9.0),
            "prony_series" => vec![0.1, 0.4 * self.unit(), 2.0, 0.4 * self.unit()],
            "nodes" => self.some(3, 12.0),
            "triangles" => vec![0.0, 1.0, 2.0, 4.0, 5.0, 6.0],
            "compliance" | "damping" => self.some(own(), 100.0),
            "gains" => self.some(1, 100.0),
            "locked" => self.some(1, 2.0),
            "wrap_segments" | "wrap_last_segments" => self.some(own(), 2.0),
            "active_range" | "stop_stiffness" => self.some(own(), 2.0),
            "ranges" | "stop_ends" => vec![-self.unit(), 1.0 + self.unit()],
            "coefficients" => [vec![2.0], self.some(2, 9.0), vec![3.0], self.some(3, 9.0)].concat(),
            "chain" => (0..3).flat_map(|x| [f64::from(x), self.unit()]).collect(),
            // Of a support: from rest.
            "keyframes" if kind == Kind::FemModel => {
                vec![0.0, 0.0, 0.0, 0.0, 0.5, 0.001, 0.002, 0.003]
            }
            "keyframes" if kind == Kind::Particle => vec![0.0, 1.0, 2.0, 3.0, 0.5, 2.0, 3.0, 4.0],
            "keyframes" => {
                let turn = [0.0, 0.6, 0.0, 0.8];
                [&[0.0, 1.0, 2.0, 3.0], &turn[..], &[0.5, 2.0, 3.0, 4.0], &turn[..]].concat()
            }
            // Of a coordinate.
            path if path.ends_with(".keyframes") => vec![0.0, 0.1, 0.5, 0.2],
            "displacement" | "constants" => self.some(3, 9.0),
            other => panic!("no list '{other}' is known"),
        }
    }
}
