import { IdentityError } from './session.ts'

/** Unsubscribes from the mails that contained a link. */
export async function stopMail(token: string) {
  const response = await fetch(`/api/auth/mail/stop/${encodeURIComponent(token)}`, { method: 'POST' })
  const reply = await response.json()
  if (!response.ok) throw new IdentityError(response.status, reply.error?.code ?? '', reply.error?.message, reply.error)
  return reply as { rule: string }
}
