import { Upload } from 'lucide-react'
import { type ChangeEvent, type ComponentProps, useRef } from 'react'
import { rich, t } from '../../i18n/text.ts'
import { useFileDrop } from '../../ui/input/file-drop.ts'

interface Props {
  disabled: boolean
  /** Leaves room for the files that are chosen already. */
  isSmall: boolean
  onFiles: (files: File[]) => void
}

/** An area for dropping files, with a button to browse for them. */
export function DropZone({ disabled, isSmall, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const browsing = { disabled, onClick: () => input.current?.click() }
  const { isOver, target } = useFileDrop((files) => !disabled && onFiles(files))

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const files = [...(currentTarget.files ?? [])]
    // Lets the user choose the same file again after removing it.
    currentTarget.value = ''
    if (files.length > 0) onFiles(files)
  }

  return (
    <div
      {...target}
      className={`grid ${isSmall ? 'h-16' : 'h-32'} place-items-center rounded-l border border-dashed text-center text-soft text-ui transition-[color,background-color,border-color,height] ${isOver ? 'border-pine bg-pine-wash text-ink' : 'border-line-control'}`}
    >
      <div className={`flex items-center gap-2 ${isSmall ? '' : 'flex-col'}`}>
        <Upload size={20} className={isOver ? 'text-pine' : 'text-faint'} />
        {isOver ? (
          <p>{t('files.drop.here')}</p>
        ) : (
          <>
            <p className="pointer-coarse:hidden">
              {rich('files.drop.hint', { browse: (part) => <Browse {...browsing}>{part}</Browse> })}
            </p>
            <p className="hidden pointer-coarse:block">
              <Browse {...browsing}>{t('files.drop.choose')}</Browse>
            </p>
          </>
        )}
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('files.drop.label')}
        disabled={disabled}
        onChange={onChange}
      />
    </div>
  )
}

const Browse = (props: ComponentProps<'button'>) => (
  <button
    type="button"
    className="font-[600] text-pine hover:underline pointer-coarse:min-h-11 pointer-coarse:px-4"
    {...props}
  />
)
