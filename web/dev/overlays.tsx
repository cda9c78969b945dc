import { Copy, Pencil, RefreshCw, Settings, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import EmojiPicker from '../emoji/emoji-picker.tsx'
import EmojiPopover from '../emoji/emoji-popover.tsx'
import ConfirmDialog from '../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { DialogButton } from '../ui/dialog/dialog-button.tsx'
import { DialogSection } from '../ui/dialog/dialog-section.tsx'
import Lightbox from '../ui/dialog/lightbox.tsx'
import { Popover } from '../ui/dialog/popover.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Button } from '../ui/input/button.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Field } from '../ui/input/field.tsx'
import { IconButton } from '../ui/input/icon-button.tsx'
import { LazyDialog } from '../ui/lazy/lazy-dialog.tsx'
import { Menu, MenuItem, MenuRow, MenuSign } from '../ui/menu/menu.tsx'
import { ARABIC, LONG, people } from './samples.tsx'

interface Opened {
  anchor: HTMLElement
  onClose: () => void
}

const words = LONG.replaceAll('-', ' ')
const ignore = () => {}
const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="500"><rect width="800" height="500" fill="seagreen"/></svg>')}`

const form = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title="Create Channel"
    action={
      <Button type="submit" variant="pine">
        Create Channel
      </Button>
    }
    onSubmit={(event) => event.preventDefault()}
    onClose={onClose}
  >
    <div className="flex flex-col gap-3 px-6 pt-2 pb-4 max-wide:px-(--gutter)">
      <Field label="Name" autoFocus dir="auto" defaultValue={ARABIC} error="A channel with this name already exists" />
      <Checkbox label="Private" hint="Only invited people can see it." />
    </div>
  </Dialog>
)

const long = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title={`Members in #${LONG}`}
    tools={
      <IconButton name="Refresh files" title="Refresh files">
        <RefreshCw size={16} />
      </IconButton>
    }
    onClose={onClose}
  >
    {people.map(({ id, name }) => (
      <DialogSection key={id} title={name}>
        <p className="text-soft text-ui">{`${words} `.repeat(6)}</p>
        <Button variant="line" className="mt-3">
          Edit
        </Button>
      </DialogSection>
    ))}
  </Dialog>
)

const loadForm = async () => ({ default: form })

/** Overlays, shown one at a time; `?open=` names the one that is open initially. */
const overlays: Record<string, (props: Opened) => ReactNode> = {
  Dialog: form,
  'Dialog, long': long,
  LazyDialog: ({ onClose }) => <LazyDialog load={loadForm} onClose={onClose} />,
  ConfirmDialog: ({ onClose }) => (
    <ConfirmDialog title="Delete Channel" action="Delete Channel" onConfirm={onClose} onClose={onClose}>
      Delete <strong className="font-[600] text-ink">#{LONG}</strong>? All its messages will be deleted for everyone.
    </ConfirmDialog>
  ),
  Lightbox: ({ onClose }) => (
    <Lightbox
      items={people.map(({ id, name }) => ({
        id,
        name: `${name}.svg`,
        url: picture,
        type: 'image/svg+xml',
        size: 2048,
      }))}
      startId="u-noa"
      onClose={onClose}
    />
  ),
  Popover: (opened) => (
    <Popover name="Details" {...opened}>
      <p className="max-w-60 p-4 text-ui">{words}</p>
    </Popover>
  ),
  'Popover, as a sheet': (opened) => (
    <Popover name="Details" isSheet {...opened}>
      <p className="p-4 text-ui">{words}</p>
    </Popover>
  ),
  Menu: (opened) => (
    <Menu name="Actions" {...opened}>
      <Items />
    </Menu>
  ),
  'Menu, as a sheet': (opened) => (
    <Menu name="Actions" isSheet {...opened}>
      <MenuRow>
        {['👍', '✅', '😂', '🎉', '❤️', '👀'].map((emoji) => (
          <MenuSign key={emoji} name={`React with ${emoji}`} onClick={ignore}>
            {emoji}
          </MenuSign>
        ))}
      </MenuRow>
      <Items />
    </Menu>
  ),
  EmojiPicker: (opened) => (
    <Popover name="Pick an emoji" {...opened}>
      <div className="h-80 w-90 max-w-full">
        <EmojiPicker person="gallery" onPick={ignore} onClose={opened.onClose} />
      </div>
    </Popover>
  ),
  EmojiPopover: (opened) => <EmojiPopover person="gallery" onPick={ignore} {...opened} />,
  SidePanel: ({ onClose }) => (
    <div className="fixed inset-0 z-10 flex justify-end">
      <SidePanel title="Thread" of={LONG} closeName="Close thread" onClose={onClose}>
        <p className="p-4 text-soft text-ui">{words}</p>
      </SidePanel>
    </div>
  ),
}

const Items = () => (
  <>
    <MenuItem Icon={Pencil} keys="E" onClick={ignore}>
      Edit message
    </MenuItem>
    <MenuItem Icon={Copy} isDisabled onClick={ignore}>
      Copy link
    </MenuItem>
    <MenuItem Icon={Trash2} keys="Backspace" isDanger onClick={ignore}>
      Delete message
    </MenuItem>
  </>
)

export function Overlays() {
  const asked = new URLSearchParams(location.search).get('open')
  const [open, setOpen] = useState<{ name: string; anchor: HTMLElement }>()
  const opened = open && overlays[open.name]
  return (
    <div className="flex flex-wrap gap-2">
      {Object.keys(overlays).map((name) => (
        <Button
          key={name}
          variant="line"
          // The one named in the URL opens as soon as its button is rendered.
          ref={(button) => {
            if (button && name === asked && !open) setOpen({ name, anchor: button })
          }}
          onClick={({ currentTarget }) => setOpen({ name, anchor: currentTarget })}
        >
          {name}
        </Button>
      ))}
      <DialogButton name="DialogButton" load={loadForm}>
        <Settings size={16} />
      </DialogButton>
      {opened && open && (
        <OpenOverlay key={open.name} render={opened} anchor={open.anchor} onClose={() => setOpen(undefined)} />
      )}
    </div>
  )
}

const OpenOverlay = ({ render, ...opened }: Opened & { render: (props: Opened) => ReactNode }) => render(opened)
