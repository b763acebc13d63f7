#!/usr/bin/env python3
# Moves crates into rooms. Run at the root of a clean checkout.
import re,subprocess,os
rooms={'learners':['dynamic-forest','residual-forest','adaptive','conformal','row-parts'],
'comparison':['evaluation','results','baselines','reproduction'],
'programs':['online-forests-cli','distributed'],
'support':['parameters','registry','preprocessing','tables','serving','memory-limit','file-lock','forest-testing']}
where={c:r for r,cs in rooms.items() for c in cs}
def sh(*a): subprocess.run(a,check=True)
for r,cs in rooms.items():
    os.makedirs(f'crates/{r}',exist_ok=True)
    for c in cs: sh('git','mv',f'crates/{c}',f'crates/{r}/{c}')
files=subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n')
names='|'.join(sorted(where,key=len,reverse=True))
for f in files:
    if not f or not os.path.isfile(f) or not f.endswith(('.rs','.toml','.md','.py','.sh','.yml','.yaml','.cff')) and f!='.ci/run': continue
    if f.startswith('CHANGELOG'): continue
    s=o=open(f,errors='replace').read()
    s=re.sub(rf'\bcrates/({names})(?=[/"`\s)\]\'#:;,.]|$)',lambda m:f'crates/{where[m.group(1)]}/{m.group(1)}',s)
    m=re.match(r'crates/(\w+)/([\w-]+)/',f)
    if m and m.group(1) in rooms and f.endswith(('.rs','.toml','.md')):
        # one level deeper
        s=re.sub(r'((?:\.\./)+)(datasets/|README\.md|docs/|Cargo\.toml|xtask/|LICENSE|benches|crates/)',lambda m:'../'+m.group(0),s)
    if f.endswith('Cargo.toml') and f.startswith('crates/'):
        here=os.path.dirname(f)
        def fix(m):
            name=m.group(1)
            new=f'crates/{where[name]}/{name}' if name in where else f'crates/{name}'
            return f'path = "{os.path.relpath(new,here)}"'
        s=re.sub(r'path = "\.\./([\w-]+)"',fix,s)
    if s!=o: open(f,'w').write(s)
s=open('Cargo.toml').read()
rest='"crates/boundary-forest", "crates/forest-core", "crates/mondrian", "crates/obsp", "crates/online-forests", "crates/random-tessellation", "crates/stream-rf", "crates/tessellation-tree", "crates/learners/*", "crates/comparison/*", "crates/programs/*", "crates/support/*", "datasets", "xtask"'
a='members = ["crates/*", "datasets", "xtask", "benches"]'; assert a in s
s=s.replace(a,'members = ['+rest+', "benches"]')
a='default-members = ["crates/*", "datasets", "xtask"]'; assert a in s
s=s.replace(a,'default-members = ['+rest+']')
open('Cargo.toml','w').write(s)
