import { IdentityError } from './session.ts'

/** Stops the mails that a link was in. */
export async function stopMail(token: string) {
  const response = await fetch(`/api/auth/mail/stop/${encodeURIComponent(token)}`, { method: 'POST' })
  const reply = await response.json()
  if (!response.ok) throw new IdentityError(response.status, reply.error?.code ?? '', reply.error?.message, reply.error)
  return reply as { rule: string }
}
