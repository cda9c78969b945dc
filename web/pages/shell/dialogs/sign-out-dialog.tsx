import SignOut from '../../../features/identity/sign-out.tsx'
import { countUnsent, isSending } from '../../../features/messages/outbox/unsent-count.ts'

/** Signs out, but asks first if anything unsent would be lost. Lazy-loaded. */
export default function SignOutDialog({ onClose }: { onClose: () => void }) {
  return <SignOut countUnsent={countUnsent} isSending={isSending} onClose={onClose} />
}
