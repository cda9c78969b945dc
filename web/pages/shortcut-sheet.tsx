import { boxKeys, listKeys, rowKeys } from '../features/messages/message-keys.ts'
import { type Keys, shortcuts, writtenKey } from '../keys.ts'
import { Dialog } from '../ui/dialog.tsx'

const groups: readonly { name: string; all: readonly Keys[] }[] = [
  { name: 'Anywhere', all: Object.values(shortcuts) },
  { name: 'In a conversation', all: listKeys },
  { name: 'On a message', all: rowKeys },
  { name: 'While writing', all: boxKeys },
]

/** Every key there is. Load it lazily. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isWide onClose={onClose}>
      <div className="gap-x-10 px-6 pb-6 wide:columns-2">
        {groups.map(({ name, all }) => (
          <section key={name} aria-label={name} className="break-inside-avoid pt-2 pb-3">
            <h3 className="mb-1 font-[600] text-faint text-micro uppercase tracking-[0.05em]">{name}</h3>
            <dl>
              {all.map(({ keys, does }) => (
                <div key={keys.join()} className="flex min-h-8 items-center justify-between gap-4 text-ui">
                  <dt className="min-w-0 text-soft">{does}</dt>
                  <dd className="flex flex-none gap-1">
                    {keys.map((key) => (
                      <kbd key={key}>{writtenKey(key)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
