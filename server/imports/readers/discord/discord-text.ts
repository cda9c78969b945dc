import type { ContentPart } from '../../records.ts'
import { escapeMarkdown, linkTo } from '../common/markdown.ts'
import { type Fields, objectsOf, textOf } from '../common/values.ts'

/** The longest name mentioned at the start of a text: names may contain spaces. */
export function mentioned(text: string, byName: Map<string, string>): (ContentPart & { rest: string }) | undefined {
  for (let end = text.length; end > 0; end--) {
    const key = byName.get(text.slice(0, end).toLowerCase())
    if (key) return { person: key, rest: text.slice(end) }
  }
  const [, word = ''] = /^(everyone|here)\b/.exec(text) ?? []
  return word ? { broadcast: word === 'here' ? 'here' : 'channel', rest: text.slice(word.length) } : undefined
}

export function embedText(embed: Fields): string {
  const title = textOf(embed['title'])
  const url = textOf(embed['url'])
  const fields = objectsOf(embed['fields']).map((field) => `**${textOf(field['name'])}**: ${textOf(field['value'])}`)
  const heading = title && url ? linkTo(url, escapeMarkdown(title, false)) : title && `**${title}**`
  return [heading, textOf(embed['description']), ...fields].filter(Boolean).join('\n')
}
