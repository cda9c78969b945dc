import { readElements, readLines } from '../../archive/read-json.ts'
import type { ImportArchive, OmissionReport } from '../../records.ts'
import { namesIn } from '../common/entries.ts'
import { type Fields, fieldsOf, sizeOf, textOf, timeOfMs, timeOfText } from '../common/values.ts'

/** The name of the file that `mongoexport` wrote of a collection. */
export function fileOf(archive: ImportArchive, collection: string): string | undefined {
  const pattern = new RegExp(`(^|/)${collection.replaceAll('.', '\\.')}\\.(jsonl?|ndjson)$`)
  return namesIn(archive, '').find((name) => pattern.test(name))
}

/** The documents of a collection, one at a time; none if the archive lacks it. */
export async function* documents(
  archive: ImportArchive,
  collection: string,
  report: OmissionReport,
): AsyncGenerator<Fields> {
  const name = fileOf(archive, collection)
  if (name === undefined) return
  if (await isList(archive, name)) {
    for await (const value of readElements(archive, name)) yield fieldsOf(value)
    return
  }
  for await (const { number, value } of readLines(archive, name)) {
    if (value === undefined) report.add('damagedLine', `${name}: line ${number}`)
    else yield fieldsOf(value)
  }
}

async function isList(archive: ImportArchive, name: string) {
  const stream = await archive.open(name)
  for await (const chunk of stream) {
    const start = String(chunk).trimStart()
    if (start === '') continue
    stream.destroy()
    return start.startsWith('[') || start.startsWith('\ufeff[')
  }
  return false
}

/** `mongoexport` writes values that JSON lacks as objects with a '$' key. */
export const idOf = (value: unknown) => textOf(fieldsOf(value)['$oid'] ?? value)

export function timeOf(value: unknown) {
  const date = fieldsOf(value)['$date'] ?? value
  const ms = fieldsOf(date)['$numberLong'] ?? date
  return /^\d+$/.test(textOf(ms)) ? timeOfMs(Number(ms)) : timeOfText(ms)
}

export function countOf(value: unknown): number | null {
  const { $numberInt, $numberLong, $numberDouble } = fieldsOf(value)
  const text = textOf($numberInt ?? $numberLong ?? $numberDouble ?? value)
  return /^\d+(\.0+)?$/.test(text) ? sizeOf(Number(text)) : null
}

/** Older versions write the Base64 directly. */
export function bytesOf(value: unknown): Buffer {
  const binary = fieldsOf(value)['$binary']
  return Buffer.from(textOf(fieldsOf(binary)['base64'] ?? binary), 'base64')
}
