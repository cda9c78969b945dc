import { KeepChoice } from '../../../features/identity/keep-choice.tsx'
import { SessionList } from '../../../features/identity/session-list.tsx'

/** What this device keeps, and where else I am signed in. */
export function DeviceSettings() {
  return (
    <>
      <div className="mb-6">
        <KeepChoice />
      </div>
      <SessionList />
    </>
  )
}
