#!/usr/bin/env python3
# Gives packages names that can be published; libraries keep theirs. Run after rooms.py.
import re,subprocess,os
new={n:f'forest-{n}' for n in 'registry results tables parameters datasets evaluation serving adaptive conformal distributed baselines preprocessing reproduction memory-limit file-lock'.split()}
new['mondrian']='mondrian-forests'
files=[f for f in subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n') if f and os.path.isfile(f)]
alt='|'.join(sorted(new,key=len,reverse=True))
for f in files:
    if f.endswith('Cargo.toml'):
        s=o=open(f).read()
        m=re.search(r'^\[package\]\nname = "([\w-]+)"',s,re.M)
        if m and m.group(1) in new:
            name=m.group(1)
            s=s.replace(m.group(0),f'[package]\nname = "{new[name]}"',1)
            lib=name.replace('-','_')
            if '\n[lib]\n' in s: s=s.replace('\n[lib]\n',f'\n[lib]\nname = "{lib}"\n',1)
            else: s=s.replace('\n[dependencies]',f'\n[lib]\nname = "{lib}"\n\n[dependencies]',1) if '\n[dependencies]' in s else s+f'\n[lib]\nname = "{lib}"\n'
        # path dependencies
        s=re.sub(rf'^({alt}) = \{{ path = ',lambda m:f'{m.group(1)} = {{ package = "{new[m.group(1)]}", path = ',s,flags=re.M)
        if f=='Cargo.toml':
            s=re.sub(rf'^({alt})\.opt-level',lambda m:f'{new[m.group(1)]}.opt-level',s,flags=re.M)
        if s!=o: open(f,'w').write(s)
    elif f.endswith(('.md','.rs','.py','.sh','.yml','.yaml','.toml')) or f=='.ci/run':
        if f.startswith('CHANGELOG') or f.endswith('.jsonl'): continue
        s=o=open(f,errors='replace').read()
        s=re.sub(rf'(?<=\s)(-p|--package) ({alt})(?=[\s`"\\]|$)',lambda m:f'{m.group(1)} {new[m.group(2)]}',s)
        s=s.replace('serving/loom','forest-serving/loom')
        if s!=o: open(f,'w').write(s)
