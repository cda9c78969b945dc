import SignOut from '../../../features/identity/sign-out.tsx'
import { countUnsent, isSending } from '../../../features/messages/outbox/unsent-count.ts'

/** Signs out, and asks before anything unsent is lost. Lazy-loaded. */
export default function SignOutDialog({ onClose }: { onClose: () => void }) {
  return <SignOut countUnsent={countUnsent} isSending={isSending} onClose={onClose} />
}
