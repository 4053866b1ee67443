//! The property files.

use crate::manifest::Manifest;
use crate::source::{Interface, Kind, Label};
use anyhow::{Context, Result, ensure};
use include_dir::{Dir, include_dir};
use powar_config::nearest::is_unknown;
use powar_config::{Config, presets};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

static FOLDER: Dir = include_dir!("$CARGO_MANIFEST_DIR/../hdl/properties");

/// Ending of what stands beside a block's properties.
const MANIFEST: &str = ".toml";
/// Folder of the configurations made for proofs, beside the properties.
const DESIGNS: &str = "designs/";

/// A block's properties.
#[derive(Clone, Debug)]
pub struct Properties {
    /// The block, by its name in the registry, without a size behind it.
    pub block: String,
    pub manifest: Manifest,
    /// The properties' modules in SystemVerilog, the block's first.
    pub(crate) modules: Vec<Module>,
}

/// A module of properties.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// Its file.
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) interface: Interface,
}

impl Properties {
    /// Reads a block's properties and what stands beside them: `BLOCK.sv`, `BLOCK.toml` and what that uses, by their names.
    ///
    /// # Errors
    /// What is wrong, with the file's name: see [`Manifest::from_toml`]; a module that is not the block's, a property or cover without a
    /// label; a property that is named and that there is not.
    pub fn new(block: &str, files: &BTreeMap<String, String>) -> Result<Properties> {
        let name = format!("{block}{MANIFEST}");
        let manifest =
            Manifest::from_toml(files.get(&name).map_or("", String::as_str)).with_context(|| name.clone())?;
        let module = |stem: &str| {
            let file = format!("{stem}.sv");
            let text = files.get(&file).with_context(|| format!("{name}: expected {file} beside it"))?.clone();
            let interface = Interface::of(&format!("{stem}_properties"), &text).with_context(|| file.clone())?;
            Ok(Module { file, text, interface })
        };
        let all = [block].into_iter().chain(manifest.uses.iter().map(String::as_str));
        let modules = all.map(module).collect::<Result<Vec<Module>>>()?;
        let properties = Properties { block: block.to_owned(), manifest, modules };
        properties.check_names().context(name)?;
        Ok(properties)
    }

    fn labels(&self) -> impl Iterator<Item = (&Module, &Label)> {
        self.modules.iter().flat_map(|module| module.interface.labels.iter().map(move |label| (module, label)))
    }

    fn labels_of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.labels().filter(move |(_, label)| label.kind == kind).map(|(_, label)| label.name.as_str())
    }

    /// What the block's signals are joined to.
    pub(crate) fn interface(&self) -> &Interface {
        &self.modules[0].interface
    }

    fn check_names(&self) -> Result<()> {
        let known: Vec<&str> = self.names().collect();
        let is_known = |name: &String| known.contains(&name.as_str());
        let all = known.join(", ");
        ensure!(!known.is_empty(), "{}.sv has no property", self.block);
        for (place, name) in known.iter().enumerate() {
            ensure!(!known[..place].contains(name), "uses: property `{name}` comes twice");
        }
        for (promise, said) in &self.manifest.promises {
            let unknown = said.properties().iter().find(|name| !is_known(name));
            if let Some(name) = unknown {
                anyhow::bail!("promises: `{promise}` names `{name}`, which must be one of {all}");
            }
        }
        let inputs = &self.interface().inputs;
        let named = self.manifest.optional.iter().map(|signal| ("optional", signal));
        for (field, signal) in named.chain(self.manifest.inside.keys().map(|signal| ("inside", signal))) {
            ensure!(inputs.contains(signal), "{field}: `{signal}` must be one of {}", inputs.join(", "));
        }
        for broken in &self.manifest.broken {
            ensure!(is_known(&broken.property), "broken: property `{}` must be one of {all}", broken.property);
        }
        Ok(())
    }

    /// Names of the properties, in the order of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.labels_of(Kind::Assertion)
    }

    /// Names of the covers.
    pub fn covers(&self) -> impl Iterator<Item = &str> {
        self.labels_of(Kind::Cover)
    }

    /// File and line of a property or cover: `vc_arbiter.sv:15`.
    pub(crate) fn place(&self, name: &str) -> String {
        let found = self.labels().find(|(_, label)| label.name == name);
        found.map(|(module, label)| format!("{}:{}", module.file, label.line)).unwrap_or_default()
    }
}

/// All property files, and the configurations made for proofs.
#[derive(Clone, Debug)]
pub struct Library {
    /// By block.
    pub blocks: Vec<Properties>,
    designs: BTreeMap<String, Config>,
}

impl Library {
    /// What is part of this program: `hdl/properties/`.
    pub fn built_in() -> Result<Library> {
        let mut files = BTreeMap::new();
        for file in FOLDER.files().chain(FOLDER.get_dir("designs").into_iter().flat_map(Dir::files)) {
            let name = file.path().to_str().context("a property file's name is not UTF-8")?;
            files.insert(name.to_owned(), file.contents_utf8().with_context(|| format!("{name} is not UTF-8"))?.into());
        }
        Library::of(&files)
    }

    /// What a folder has, which is as `hdl/properties/` is.
    ///
    /// # Errors
    /// A folder or a file that can't be read; as of [`Properties::new`].
    pub fn from_folder(folder: &Path) -> Result<Library> {
        let mut files = texts(folder, "")?;
        if folder.join(DESIGNS).is_dir() {
            files.extend(texts(&folder.join(DESIGNS), DESIGNS)?);
        }
        let library = Library::of(&files).with_context(|| folder.display().to_string())?;
        ensure!(!library.blocks.is_empty(), "{} has no BLOCK.sv with a BLOCK.toml beside it", folder.display());
        Ok(library)
    }

    fn of(files: &BTreeMap<String, String>) -> Result<Library> {
        let mut library = Library { blocks: vec![], designs: BTreeMap::new() };
        for (name, text) in files {
            let Some(stem) = name.strip_suffix(MANIFEST) else { continue };
            if let Some(design) = stem.strip_prefix(DESIGNS) {
                let config = Config::from_toml(text).with_context(|| name.clone())?;
                library.designs.insert(design.to_owned(), config);
                continue;
            }
            library.blocks.push(Properties::new(stem, files)?);
        }
        Ok(library)
    }

    /// The properties of a block.
    ///
    /// # Errors
    /// A block without: those that have some are listed.
    pub fn of_block(&self, block: &str) -> Result<&Properties> {
        let known = || self.blocks.iter().map(|other| other.block.as_str());
        let found = self.blocks.iter().find(|other| other.block == block);
        found.with_context(|| format!("block with properties: {}", is_unknown(block, known())))
    }

    /// The configurations made for proofs.
    pub fn designs(&self) -> impl Iterator<Item = &Config> {
        self.designs.values()
    }

    /// A configuration by its name: one made for proofs, or a preset.
    ///
    /// # Errors
    /// An unknown name.
    pub fn design(&self, name: &str) -> Result<Config> {
        if let Some(config) = self.designs.get(name) {
            return Ok(config.clone());
        }
        let known = || self.designs.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        presets::by_name(name).with_context(|| format!("designs: `{name}` must be a preset or one of {}", known()))
    }
}

/// The texts of a folder's files that are properties or stand beside them, with `before` in front of their names.
fn texts(folder: &Path, before: &str) -> Result<BTreeMap<String, String>> {
    let cannot_read = || format!("can't read {}", folder.display());
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(cannot_read)? {
        let path = entry.with_context(cannot_read)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(".sv") || name.ends_with(MANIFEST) {
            let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
            found.insert(format!("{before}{name}"), text);
        }
    }
    Ok(found)
}
