import { KeepChoice } from '../../../features/identity/keep-choice.tsx'
import { SessionList } from '../../../features/identity/session-list.tsx'
import { InstallApp } from '../../../features/installation/install-app.tsx'

/** What this device keeps, Parley as an app on it, and where else I am signed in. */
export function DeviceSettings() {
  return (
    <>
      <div className="mb-6">
        <KeepChoice />
      </div>
      <InstallApp />
      <SessionList />
    </>
  )
}
