import type { ImportArchive } from '../../records.ts'

/** The files that DiscordChatExporter downloads with --media. */
export class MediaFiles {
  readonly #entries: Map<string, ImportArchive['entries'][number]>

  constructor(archive: ImportArchive) {
    this.#entries = new Map(archive.entries.map((entry) => [entry.name, entry]))
  }

  /** @param url as in a JSON file: if it was downloaded, a path next to that file, with the separators of the exporter's system */
  find(jsonName: string, url: string) {
    const path = jsonName.replace(/[^/]*$/, '') + url.replaceAll('\\', '/')
    return this.#entries.get(path) ?? this.#entries.get(decoded(path))
  }
}

function decoded(path: string) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
