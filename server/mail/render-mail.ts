import type { MailContent } from './enqueue-mail.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (each) => ESCAPES[each] as string)

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
// Mid tones: readable on white, and on black in clients with a dark mode.
const BUTTON = `${FONT};display:inline-block;padding:11px 20px;border-radius:6px;background:#4f46e5;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none`
const TEXT = `${FONT};margin:0 0 16px;font-size:16px;line-height:24px;overflow-wrap:anywhere`
const SMALL = `${FONT};margin:0 0 8px;font-size:13px;line-height:20px;color:#767676;overflow-wrap:anywhere`

/** Makes a text safe for a header: one line without control characters. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** The plain text alternative. */
export function renderText({ paragraphs, action, footer, footerLink }: MailContent): string {
  const button = action && `${action.label}:\n${action.url}`
  const stop = footerLink && `${footerLink.label}:\n${footerLink.url}`
  const end = [footer, stop].filter(Boolean).join('\n')
  const blocks = [...paragraphs, button, end && `-- \n${end}`]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** Tables and inline styles only, because clients drop the rest. No pictures, so opening a mail fetches nothing. */
export function renderHtml(content: MailContent): string {
  const { subject, paragraphs, action, footer, footerLink, language, direction } = content
  const button = action
    ? `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding:8px 0 24px">
<a href="${escapeHtml(action.url)}" style="${BUTTON}">${escapeHtml(action.label)}</a></td></tr></table>
<p dir="ltr" style="${SMALL}">${escapeHtml(action.url)}</p>`
    : ''
  const stop = footerLink
    ? ` <a href="${escapeHtml(footerLink.url)}" style="color:#767676">${escapeHtml(footerLink.label)}</a>`
    : ''
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}</style>
</head>
<body style="margin:0;padding:0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:32px 20px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px"><tr><td dir="${direction}" style="text-align:${direction === 'rtl' ? 'right' : 'left'}">
<h1 style="${FONT};margin:0 0 20px;font-size:22px;line-height:30px;overflow-wrap:anywhere">${escapeHtml(subject)}</h1>
${paragraphs.map((each) => `<p dir="auto" style="${TEXT}">${escapeHtml(each).replaceAll('\n', '<br>')}</p>`).join('\n')}
${button}
${footer ? `<div style="border-top:1px solid #9a9a9a;margin-top:24px;padding-top:16px"><p style="${SMALL}">${escapeHtml(footer)}${stop}</p></div>` : ''}
</td></tr></table>
</td></tr></table>
</body>
</html>`
}
