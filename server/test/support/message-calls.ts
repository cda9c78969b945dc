import type { Person } from './parley.ts'

/** Edits or deletes a message as a person. */
export async function rewriteAs(
  { token }: Person,
  address: string,
  method: 'PUT' | 'DELETE',
  id: string,
  payload?: object,
) {
  const answer = await fetch(`${address}/api/messages/${id}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(payload && { 'content-type': 'application/json' }) },
    ...(payload && { body: JSON.stringify(payload) }),
  })
  const text = await answer.text()
  const body = text === '' ? undefined : JSON.parse(text)
  return { status: answer.status, code: body?.error?.code as string | undefined, body }
}

/** Fetches a page of messages as a person: its text, ETag and revision. */
export async function readPage({ token }: Person, url: string, etag: string) {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) },
  })
  const { status, headers } = answer
  return { status, etag: headers.get('etag') ?? '', rev: Number(headers.get('parley-rev')), text: await answer.text() }
}
