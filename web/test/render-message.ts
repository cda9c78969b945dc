import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, vi } from 'vitest'
import { MessageText } from '../features/messages/content/message-text.tsx'

vi.stubGlobal('location', new URL('https://parley.test/channels/1'))

/** The HTML of a message. */
export const shown = (content: string) =>
  renderToStaticMarkup(createElement(MemoryRouter, null, createElement(MessageText, { content })))

/** The visible text. React escapes every other `<`. */
export const words = (html: string) => decoded(html.replace(/<br\/>/g, '\n').replace(/<[^>]*>/g, ''))
export const decoded = (html: string) =>
  html.replace(
    /&(?:lt|gt|quot|#x27|amp);/g,
    (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' })[entity] as string,
  )

const PLAIN = 'p em strong del h3 h4 h5 h6 ul li blockquote hr br bdi thead tbody tr span'.split(' ')
const ICON =
  'xmlns width height viewBox fill stroke stroke-width stroke-linecap stroke-linejoin class aria-hidden'.split(' ')
/** The elements that a message may contain, with their attributes. */
const allowed: Record<string, readonly string[]> = {
  ...Object.fromEntries(PLAIN.map((name) => [name, ['dir', 'class', 'role']])),
  div: ['class', 'role', 'aria-label', 'tabindex', 'data-language'],
  a: ['href', 'title', 'target', 'rel', 'class', 'aria-label', 'data-discover'],
  code: ['dir'],
  pre: ['dir', 'role', 'aria-label', 'tabindex'],
  ol: ['dir', 'start', 'style'],
  input: ['type', 'checked', 'disabled', 'aria-label'],
  table: ['dir'],
  th: ['style'],
  td: ['style'],
  button: ['type', 'aria-label', 'data-tip', 'class'],
  svg: ICON,
  path: ['d'],
  rect: ['x', 'y', 'rx', 'ry', 'width', 'height'],
}
const STYLE = /^(padding-inline-start:max\(1\.5em, \d+\.5ch\)|text-align:(left|right|center))?$/

/** Renders a message and checks every element and attribute. */
export function expectHarmless(content: string) {
  const html = shown(content)
  const faults: string[] = []
  for (const [tag, name = '', rest = ''] of html.matchAll(/<([a-z][^\s>/]*)((?:[^>"]|"[^"]*")*)>/gi)) {
    const attributes: Record<string, string> = {}
    for (const [, attribute = '', value = ''] of rest.matchAll(/([^\s="/]+)(?:="([^"]*)")?/g))
      attributes[attribute] = decoded(value)
    const isKnown = Object.keys(attributes).every((attribute) => allowed[name]?.includes(attribute))
    if (!isKnown || !STYLE.test(attributes['style'] ?? '') || !isSafe(attributes)) faults.push(tag)
  }
  expect(faults, content).toEqual([])
  return html
}

/** Resolves the URL as a browser does. */
function isSafe({ href, target, rel }: Record<string, string>) {
  if (href === undefined) return true
  const { protocol, origin } = new URL(href, location.href)
  if (!['http:', 'https:', 'irc:', 'ircs:', 'mailto:', 'xmpp:'].includes(protocol)) return false
  if (origin === location.origin) return true
  return rel === 'noopener noreferrer nofollow' && (target === '_blank' || !protocol.startsWith('http'))
}
