import { Plus } from 'lucide-react'
import type { ChangeEvent, RefObject } from 'react'
import { t } from '../../../i18n/text.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'

interface Props {
  /** The file input, so that a shortcut can open it. */
  input: RefObject<HTMLInputElement | null>
  onFiles: (files: File[]) => void
}

export function AttachButton({ input, onFiles }: Props) {
  function handleChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const files = [...(currentTarget.files ?? [])]
    // Cleared, so that a file can be chosen again after it was removed.
    currentTarget.value = ''
    if (files.length > 0) onFiles(files)
  }
  return (
    <>
      <IconButton name={t('messages.composer.attach')} onMouseDown={keepFocus} onClick={() => input.current?.click()}>
        <Plus size={16} />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('messages.composer.filesLabel')}
        onChange={handleChange}
      />
    </>
  )
}
