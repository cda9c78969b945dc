import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../run-node.mjs'

interface Library {
  title: string
  /** SPDX identifier. */
  license: string
  holder: string
  texts: string[]
}

/** The folder of the npm package that a file belongs to, which may be below another package. */
const PACKAGE = /(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/
const LICENSE_FILE = /^(licen[cs]e|copying|notice)([-.](md|txt|mit|markdown))?$/i

/** In a form in which the build does not name its files. */
const WITHOUT_SOURCES = ['node_modules/tailwindcss']
/** Inside @fastify/swagger-ui, whose licence is that of the plugin only. */
const SWAGGER_UI = { title: 'Swagger UI', license: 'Apache-2.0', holder: 'SmartBear Software Inc.', texts: [] }

/**
 * The licences of the libraries that files were built from, as one text for the package: most require it.
 * @param sources paths of files; those outside of node_modules are ours
 */
export async function writeNotices(sources: string[]): Promise<string> {
  const folders = sources.flatMap((path) => PACKAGE.exec(path.replaceAll('\\', '/'))?.[1] ?? [])
  const libraries = await Promise.all([...new Set([...folders, ...WITHOUT_SOURCES])].sort().map(readLibrary))
  libraries.push(SWAGGER_UI)
  const notices = libraries.map((library) => {
    const { title, license, holder, texts } = library
    const text = texts.length > 0 ? texts.join('\n\n') : `Copyright (c) ${holder}\n\n${bodyOf(license, libraries)}`
    return `${'─'.repeat(80)}\n${title} (${license})\n\n${text}\n`
  })
  return `Parley contains these libraries, under the licences below.\nTheir source code is on https://www.npmjs.com under these names and versions.\n\n${notices.join('\n')}`
}

async function readLibrary(folder: string): Promise<Library> {
  const path = join(root, folder)
  const { name, version, license, author } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))
  const names = (await readdir(path)).filter((file) => LICENSE_FILE.test(file)).sort()
  const texts = await Promise.all(names.map(async (file) => (await readFile(join(path, file), 'utf8')).trim()))
  const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`
  return { title: `${name} ${version}`, license, holder, texts }
}

/** For packages without a copy of their licence: the text of another one, without its copyright line. */
function bodyOf(license: string, libraries: Library[]): string {
  const start = { MIT: /Permission is hereby granted/, 'BSD-3-Clause': /Redistribution and use/ }[license] ?? /^/
  for (const { license: other, texts } of libraries) {
    const [text = ''] = texts
    if (other === license && start.test(text)) return text.slice(text.search(start))
  }
  throw new Error(`No library has a text of the licence ${license}`)
}
