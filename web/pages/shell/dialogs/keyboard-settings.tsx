import { Keyboard } from 'lucide-react'
import { useState } from 'react'
import { shortcutLabel } from '../../../browser/shortcuts.ts'
import { LettersChoice } from '../../../features/accessibility/letters-choice.tsx'
import { t } from '../../../i18n/text.ts'
import { Button } from '../../../ui/input/button.tsx'
import ShortcutSheet from './shortcut-sheet.tsx'

/** Turns single-letter shortcuts on or off, and opens the list of all. */
export function KeyboardSettings() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <LettersChoice />
      <Button variant="line" aria-haspopup="dialog" className="mt-4 pointer-coarse:h-11" onClick={() => setOpen(true)}>
        <Keyboard size={16} />
        {t('shell.shortcuts.title')}{' '}
        <bdi dir="ltr" className="font-[400] text-faint pointer-coarse:hidden">
          {shortcutLabel('sheet')}
        </bdi>
      </Button>
      {isOpen && <ShortcutSheet onClose={() => setOpen(false)} />}
    </>
  )
}
