import { withQuoteLabels } from '#contract/quotes'
import type { User } from '#contract/users'
import type { AttachedRow } from '../files/file-rows.ts'
import type { MessageRow } from '../messages/message-rows.ts'
import { contentHtml, emojiHtml, escapeHtml, textHtml, urlOf } from './content-html.ts'
import type { EmojiPaths } from './export-emoji.ts'
import { filePath } from './export-json.ts'
import type { ExportedChannel } from './export-rows.ts'

/** Top-level messages per page of the archive; replies are in addition. */
export const MESSAGES_PER_PAGE = 500

type UserOf = (id: string) => User

export const pagePath = (channelId: string, page: number) => `channels/${channelId}/${page}.html`

export const titleOf = ({ kind, name }: Pick<ExportedChannel, 'kind' | 'name'>, people: string[]) =>
  kind === 'direct' ? people.join(', ') : `#${name}`

/** Blocks scripts and everything external, whatever a message contains. */
const POLICY = "default-src 'none'; img-src 'self' file: data:; media-src 'self' file:; style-src 'self' file:"

export const SEARCH_PATH = 'search.html'

/** The beginning of a page. @param up the relative path to the archive's root, such as `../../` */
export const pageHead = (title: string, up: string, policy = POLICY) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="${up}style.css"></head><body><main>
`
export const PAGE_END = '</main></body></html>\n'

export function channelHead(
  title: string,
  { id, topic }: Pick<ExportedChannel, 'id' | 'topic'>,
  emoji: EmojiPaths,
  nav: { page: number; pages: number },
) {
  return `<header><p><a href="../../index.html">All conversations</a> · <a href="../../${SEARCH_PATH}?in=${id}">Search</a></p>
<h1>${escapeHtml(title)}</h1>
<p class="soft">${textHtml(topic, emoji)}</p>${pageNav(nav)}</header>\n`
}

export function pageNav({ page, pages }: { page: number; pages: number }) {
  if (pages < 2) return ''
  const link = (to: number, text: string) => (to < 1 || to > pages ? '' : `<a href="${to}.html">${text}</a>`)
  return `<nav>${link(page - 1, 'Earlier')} <span>Page ${page} of ${pages}</span> ${link(page + 1, 'Later')}</nav>\n`
}

/** A message, without its replies. */
export function messageHtml(row: MessageRow, userOf: UserOf, emoji: EmojiPaths): string {
  const { name, username } = userOf(row.userId)
  const time = row.createdAt.slice(0, 16).replace('T', ' ')
  const edited = row.editedAt ? ' <span class="soft">(edited)</span>' : ''
  const pinned = row.pinnedAt && !row.deletedAt ? ' <span class="pinned">Pinned</span>' : ''
  const text = row.deletedAt ? '<p class="soft">Message deleted</p>' : contentHtml(withQuoteLabels(row.content), emoji)
  return `<article id="m-${row.id}"><h2>${escapeHtml(name)} <span class="soft">@${escapeHtml(username)}</span>
<time datetime="${row.createdAt}"><a href="#m-${row.id}">${time}</a></time>${edited}${pinned}</h2>
${text}${row.files.map(fileHtml).join('')}${reactionsHtml(row, userOf, emoji)}</article>\n`
}

export function fileHtml(file: AttachedRow) {
  const url = urlOf(filePath(file))
  const name = escapeHtml(file.name)
  const inside = /^image\/(png|jpeg|gif|webp|avif)$/.test(file.type)
    ? `<img src="${url}" alt="${name}" loading="lazy">`
    : name
  return `<p class="file" id="f-${file.id}"><a href="${url}">${inside}</a></p>`
}

function reactionsHtml({ reactions }: MessageRow, userOf: UserOf, paths: EmojiPaths) {
  if (reactions.length === 0) return ''
  const each = reactions.map(({ emoji, count, userIds }) => {
    const names = userIds.slice(0, 10).map((id) => userOf(id).name)
    return `<span title="${escapeHtml(names.join(', '))}">${emojiHtml(emoji, paths)} ${count}</span>`
  })
  return `<p class="reactions">${each.join(' ')}</p>`
}

export const threadHead = (count: number) => `<details open class="thread"><summary>Thread (${count})</summary>\n`
export const THREAD_END = '</details>\n'

/** The page of files uploaded without a message, one per channel. */
export const filesPath = (channelId: string) => `channels/${channelId}/files.html`
export const filesHead = (title: string) =>
  `${pageHead(title, '../../')}<header><p><a href="../../index.html">All conversations</a></p>
<h1>${escapeHtml(title)}</h1><p class="soft">Files without a message</p></header>\n`

interface IndexEntry {
  channel: Pick<ExportedChannel, 'id' | 'kind'>
  title: string
  messages: number
}

export const indexHead = (title: string, exportedAt: string) =>
  `${pageHead(title, '')}<header><h1>${escapeHtml(title)}</h1>
<p class="soft">Exported ${exportedAt.slice(0, 16).replace('T', ' ')} UTC. The same as data: the folder <code>data</code>.</p></header>
<form class="search" action="${SEARCH_PATH}"><input type="search" name="q" aria-label="Words" placeholder="Search messages" autocomplete="off">
<button>Search</button></form><ul>\n`

export const indexLine = ({ channel: { id, kind }, title, messages }: IndexEntry) =>
  `<li><a href="${pagePath(id, 1)}">${escapeHtml(title)}</a> <span class="soft">${kind}, messages: ${messages},
<a href="${filesPath(id)}">other files</a></span></li>\n`

export const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#24302b,#e6ebe7);--soft:light-dark(#5b6862,#a7b1ab);
--line:light-dark(#dfe5e1,#3a4641);--paper:light-dark(#fdfefd,#171d1a);--pine:light-dark(#1c6b4f,#7cc9a8)}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.4rem;margin:.5rem 0}h2{font-size:.95rem;margin:0}
a{color:var(--pine)}time a{color:var(--soft);text-decoration:none;font-weight:400;font-size:.8rem}
.soft{color:var(--soft);font-weight:400}header{border-bottom:1px solid var(--line);margin-bottom:1rem;padding-bottom:.5rem}
article{padding:.5rem 0}article:target{background:light-dark(#eef6f1,#22302a)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.1rem 0}
pre{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:.5rem;font-size:.85rem;margin:.25rem 0}
.thread{margin-inline-start:1.25rem;padding-inline-start:.75rem;border-inline-start:2px solid var(--line)}
.thread summary{color:var(--soft);font-size:.85rem}.file{margin:.25rem 0}.file img{max-width:20rem;max-height:15rem;border-radius:6px}
.emoji{height:1.375em;width:auto;vertical-align:-.3em}
.pinned,.reactions span{border:1px solid var(--line);border-radius:6px;padding:0 .4rem;font-size:.85rem}.pinned{color:var(--soft);font-weight:400}
nav{display:flex;gap:1rem}li{margin:.25rem 0}
.search{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}.search input{flex:1 1 12rem}.search select{max-width:16rem}
.search input,.search select,.search button{box-sizing:border-box;min-height:2.5rem;padding:0 .75rem;font:inherit;color:inherit;
background:transparent;border:1px solid var(--line);border-radius:6px}.search option{background:var(--paper)}
.search button{color:var(--pine);cursor:pointer}.results{list-style:none;padding:0}.results li{padding:.5rem 0;border-top:1px solid var(--line)}
.results h2{font-weight:400}.results a{text-decoration:none;color:inherit}.results a:hover{text-decoration:underline}
.results a bdi:first-child{font-weight:700}.results time{white-space:nowrap}
.file:target{background:light-dark(#eef6f1,#22302a)}:focus-visible{outline:2px solid var(--pine);outline-offset:1px}mark{background:light-dark(#fbe7a1,#5c4d14);color:inherit}
`
