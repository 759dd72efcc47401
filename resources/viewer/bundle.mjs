// `npm ci && npm run bundle`: src/ -> dist/, which is committed; building mechfmu needs no node.
//
//   dist/viewer.js, viewer.css   every report          dist/spatial.js   reports of mechanisms that move in space
//
// Licences of what is bundled stand at the head of each file, so that they are in every report too.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';

const licence = (name) => `/*! ${name}\n${readFileSync(`licenses/${name}.txt`, 'utf8').trim()}\n*/`;

const bundle = (entry, parts) =>
  build({
    entryPoints: [`src/${entry}`],
    outdir: 'dist',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    charset: 'ascii',
    legalComments: 'none',
    banner: Object.fromEntries(['js', 'css'].map((kind) => [kind, parts.map(licence).join('\n')])),
  });

await bundle('viewer.js', ['uplot']);
await bundle('viewer.css', ['uplot']);
await bundle('spatial.js', ['three']);
