import type { FileLink, FileRecord, ImportArchive, OmissionReport } from '../../records.ts'
import { type Fields, firstText, objectsOf, sizeOf, textOf, timeOfSeconds } from '../common/values.ts'

/** Kinds of files that are web pages, whatever their type says. */
const PAGES = new Set(['space', 'quip', 'email'])

/** Paths used by tools that download an export's files: __uploads/F123/name, or channel/attachments/F123-name. */
const FILE = /(?:^|\/)(?:__uploads\/(F[A-Z0-9]+)\/|attachments\/(F[A-Z0-9]+)-)[^/]+$/

/** The archive's entries by file id. */
export function filesById(
  archive: ImportArchive,
  names: string[],
  root: string,
): Map<string, { name: string; size: number }> {
  const sizes = new Map(archive.entries.map(({ name, size }) => [name, size]))
  const files = new Map<string, { name: string; size: number }>()
  for (const name of names) {
    const [, uploaded, attached] = FILE.exec(name.slice(root.length)) ?? []
    const id = uploaded ?? attached
    if (id) files.set(id, { name, size: sizes.get(name) ?? 0 })
  }
  return files
}

export function filesOf(
  message: Fields,
  archive: ImportArchive,
  files: Map<string, { name: string; size: number }>,
  report: OmissionReport,
): FileRecord[] {
  const listed = objectsOf(message['files'])
  const all = listed.length > 0 ? listed : objectsOf([message['file']].filter(Boolean))
  return all.flatMap((file): FileRecord[] => {
    const id = textOf(file['id'])
    const name = firstText(file['name'], file['title'], id)
    const own = files.get(id)
    // Deleted, or hidden by the limit of a free workspace.
    if (file['mode'] === 'tombstone' || file['mode'] === 'hidden_by_limit') {
      report.add('missingFile', name)
      return []
    }
    const link = own || file['mode'] === 'external' ? undefined : linkOf(file, name)
    if (!own && !link) report.add(file['mode'] === 'external' ? 'externalFile' : 'missingFile', name)
    const createdAt = timeOfSeconds(file['created'] ?? file['timestamp'])
    const size = own?.size ?? sizeOf(file['size'])
    const open = own ? () => archive.open(own.name) : null
    return [{ key: id, name, size, createdAt, open, ...(link && { link }) }]
  })
}

function linkOf(file: Fields, name: string): FileLink | undefined {
  const url = firstText(file['url_private_download'], file['url_private'])
  if (!url) return undefined
  const isPage =
    PAGES.has(textOf(file['mode'])) || /html|vnd\.slack/.test(textOf(file['mimetype'])) || /\.html?$/i.test(name)
  return { url, isPage }
}
