/** Display names of languages, each with the words that people write behind a fence's mark. */
const languages = `
Ada: ada ada95 ada2005
ApacheConf: apache apacheconf aconf
Arduino: arduino
Awk: awk gawk mawk nawk
Bash: bash sh shell zsh ksh openrc
Bash Session: console shell-session
Batchfile: bat batch dosbatch winbatch
C: c
C#: c# csharp cs
C++: c++ cpp
Clojure: clojure clj
ClojureScript: clojurescript cljs
CMake: cmake
CoffeeScript: coffeescript coffee-script coffee
Common Lisp: common-lisp cl lisp
Crystal: crystal cr
CSS: css
CUDA: cuda cu
Cython: cython pyx
D: d
Dart: dart
Debian Control file: debcontrol control
Delphi: delphi pas pascal objectpascal
Diff: diff udiff
Django/Jinja: django jinja
Docker: docker dockerfile
Elixir: elixir ex exs
Elm: elm
EmacsLisp: emacs elisp emacs-lisp
ERB: erb
Erlang: erlang
F#: f# fsharp
Fortran: fortran f90
GAS: gas asm
Gherkin: gherkin cucumber
GLSL: glsl
Go: go golang
GraphQL: graphql
Groovy: groovy
Haml: haml
Haskell: haskell hs
HTML: html
HTTP: http
INI: ini cfg dosini
IRC logs: irc
Java: java
JavaScript: javascript js
JSON: json json-object
JSX: jsx react
Julia: julia jl
Kotlin: kotlin
LessCss: less
LLVM: llvm
Lua: lua
Makefile: make makefile mf bsdmake
Markdown: markdown md
Mathematica: mathematica mma nb
Matlab: matlab
MySQL: mysql
NASM: nasm
Nginx configuration file: nginx
Nim: nim nimrod
Nix: nix nixos
Objective-C: objective-c objectivec obj-c objc
OCaml: ocaml
Octave: octave
Perl: perl pl
PHP: php php3 php4 php5
PostgreSQL SQL dialect: postgresql postgres
PowerShell: powershell pwsh posh ps1 psm1
Prolog: prolog
Properties: properties jproperties
Protocol Buffer: protobuf proto
Puppet: puppet
Python: python py sage python3 py3 bazel starlark pyi
Python 2.x: python2 py2
Python Traceback: pytb py3tb
Python console session: pycon
Racket: racket rkt
reStructuredText: restructuredtext rst rest
Ruby: ruby rb duby
Rust: rust rs
S: splus s r
Sass: sass
Scala: scala
Scheme: scheme scm
SCSS: scss
Sed: sed gsed ssed
Solidity: solidity
SQL: sql
Swift: swift
Tcl: tcl
Terraform: terraform tf hcl
TeX: tex latex
Text only: text
TOML: toml
TypeScript: typescript ts
VB.net: vb.net vbnet
verilog: verilog v
vhdl: vhdl
VimL: vim
WebAssembly: wast wat
XML: xml
YAML: yaml
Zig: zig
`;

const namesByAlias = new Map<string, string>();
for (const line of languages.trim().split('\n')) {
  const [name = '', aliases = ''] = line.split(': ');
  for (const alias of aliases.split(' ')) namesByAlias.set(alias, name);
}

/** The name by which clients show and highlight a language; a word that is not known stands for itself. */
export function languageName(word: string): string {
  return namesByAlias.get(word.toLowerCase()) ?? word;
}
