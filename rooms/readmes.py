#!/usr/bin/env python3
# Writes a README for each crate: what it is, a short example, where to read on.
import os,re,glob,subprocess
root='.'
texts={
'forest-core':('The contract of online forests: `OnlineLearner`, `Forest<T: OnlineTree>`, the sample store, checked batches and random streams. It knows no algorithm.',
'''use forest_core::{Classification, OnlineClassifier, OnlineLearner, Prior, Schema};

let mut majority = Prior::new(Schema::<Classification>::new(1)?);
majority.learn_one(&[0.5], 1)?;
assert_eq!(majority.predict_label(&[0.1])?, Some(1));'''),
'tessellation-tree':('One engine for Mondrian, binary space partitioning and random tessellation trees: an online tree whose distribution is that of the batch tree, for any distribution of cuts and any label model. A new forest is a distribution of cuts of a few hundred lines.',None),
'mondrian':('Mondrian forests: axis-aligned cuts with a fixed or an increasing budget, hierarchical smoothing, and AMF (aggregation over all prunings).',
'''use forest_core::{ForestSettings, OnlineClassifier, OnlineLearner, Schema};
use mondrian::{MondrianClassifier, fixed};

let mut forest = MondrianClassifier::new(Schema::new(1)?, fixed(10.0), ForestSettings::default())?;
for i in 0..100u16 {
    forest.learn_one(&[f32::from(i) / 100.0], u32::from(i >= 50))?;
}
assert_eq!(forest.predict_label(&[0.9])?, Some(1));'''),
'obsp':('Online BSP-Forests (Fan, Li, Sisson 2020): cuts oblique in a pair of axes. The online tree has the distribution of the batch tree, which the printed algorithm misses.',None),
'random-tessellation':('Random tessellation forests (Ge et al. 2019) that learn online: cuts of every direction, weighted features, a few features a cut, or a finite set of directions.',None),
'boundary-forest':('The boundary forest (Mathy et al. 2015): trees of prototypes for classification, regression and retrieval of near samples.',None),
'stream-rf':('The stream-partitioned forest (Denil et al. 2013) and the forest of Saffari et al. (2009): supervised splits from a stream.',None),
'online-forests':('All algorithms of the workspace by name, with parameters, snapshots and pipelines: what a program depends on.',
'''use online_forests::{Algorithm, Classification, ForestSettings, OnlineClassifier, OnlineLearner, Schema};

let algorithm: Algorithm = "amf".parse()?;
let mut forest = algorithm.build::<Classification>(Schema::new(1)?, ForestSettings::default())?;
for i in 0..100u16 {
    forest.learn_one(&[f32::from(i) / 100.0], u32::from(i >= 50))?;
}
assert_eq!(forest.predict_label(&[0.9])?, Some(1));'''),
'dynamic-forest':('Extra trees that are a function of the set of samples they hold: learned one by one, forgotten exactly, or built at once, they are the same trees.',None),
'residual-forest':('Gradient boosting in one pass: stages of dynamic trees learn honest residuals, which were predicted before their row was learned.',None),
'adaptive':('A mixture for concept drift: learners on windows of several lengths, weighted by their recent loss.',None),
'conformal':('Prediction intervals around any online regressor, from its latest errors.',None),
'row-parts':('Learners that each learn some rows of a stream, round-robin, for streams that are faster than one tree learns.',None),
'evaluation':('Comparisons of learners: hold-out, prequential, k-fold and delayed labels; paired seeds, limits and resume. A learner of your own joins in under 30 lines.',None),
'results':('Records of runs and everything made of them: metrics, statistics over data sets, tables, charts as SVG and a page.',None),
'baselines':("smartcore's learners as offline baselines of a comparison.",None),
'reproduction':("The papers' tables and figures as files: runs, pages and verdicts by stated rules.",None),
'online-forests-cli':('The program `online-forests`: `train`, `predict`, `inspect` and, as a feature, `serve`.',None),
'distributed':("A forest whose trees are in several processes, connected in a ring, with checkpoints that all of them have.",None),
'parameters':('Parameters declared once (name, rule, default, meaning), and texts `name:key=value,…` read by what was declared.',
'''use parameters::{Parameter, Rule};

let depth = Parameter::new("depth", Rule::Count(1), "8", "levels of a tree");
assert!(depth.accepts("3") && !depth.accepts("0"));'''),
'registry':('Learners by name: the table of algorithms, learners held by name, snapshots, and trees that can be read.',
'''use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
use registry::Algorithm;

let algorithm: Algorithm = "mean".parse()?;
let mut mean = algorithm.build::<Regression>(Schema::new(1)?, ForestSettings::default())?;
mean.learn_one(&[0.0], 3.0)?;
assert_eq!(mean.predict_one(&[0.5])?, [3.0]);'''),
'preprocessing':('Scaling, PCA, one-hot encoding and class names; a `Pipeline` of steps and a learner is itself a learner.',None),
'tables':('CSV, ARFF, LIBSVM, Parquet and Arrow to rows of numbers: missing values, categories and dates, for files and for streams.',None),
'serving':('One writer learns while any number of readers predict; no reader waits for a batch.',None),
'memory-limit':('Amounts of memory as people write them, and how much is free.',
'''assert_eq!(memory_limit::parse("4GiB"), Ok(4 << 30));'''),
'file-lock':('A lock beside a file or folder that one program holds at a time, and that a killed one leaves open.',None),
'forest-testing':('What tests of learners share: conformance of any learner, tests of significance, injected faults.',None),
}
names={'mondrian':'mondrian-forests'}
for n in 'registry results tables parameters datasets evaluation serving adaptive conformal distributed baselines preprocessing reproduction memory-limit file-lock'.split(): names[n]='forest-'+n
for path in glob.glob('crates/*/Cargo.toml')+glob.glob('crates/*/*/Cargo.toml'):
    d=os.path.dirname(path); c=os.path.basename(d)
    if c not in texts or 'tests' in d: continue
    text,example=texts[c]
    package=re.search(r'^name = "([\w-]+)"',open(path).read(),re.M).group(1)
    lines=[f'# {package}','',text,'']
    if example:
        body=example.split('\n'); uses=[l for l in body if l.startswith('use ')]; rest=[l for l in body if not l.startswith('use ')]
        while rest and not rest[0]: rest.pop(0)
        lines+=['```rust',*uses,*([''] if uses else []),'fn main() -> Result<(), Box<dyn std::error::Error>> {',*['    '+l if l else '' for l in rest],'    Ok(())','}','```','']
    ex=sorted(glob.glob(d+'/examples/*.rs'))
    for e in ex[:2]:
        e=os.path.basename(e)[:-3]
        lines+=[f'```sh',f'cargo run --release -p {package} --example {e}','```','']
    up='../'*len(d.split('/'))
    lines+=[f'Part of [online-forests]({up}README.md); how the crates fit together: [architecture]({up}docs/architecture.md).']
    open(d+'/README.md','w').write('\n'.join(lines)+'\n')
    s=open(path).read()
    s=s.replace('readme.workspace = true','readme = "README.md"')
    open(path,'w').write(s)
    if example:
        lib=d+'/src/lib.rs'; s=open(lib).read()
        if 'include_str!("../README.md")' not in s:
            s=s.rstrip('\n')+'\n\n/// The example of the README.\n#[cfg(doctest)]\n#[doc = include_str!("../README.md")]\nstruct ReadmeOfCrate;\n'
            open(lib,'w').write(s)
