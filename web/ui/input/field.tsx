import { type ComponentProps, type ReactNode, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  /** Beside the label, such as 'Optional'. */
  note?: string
  hint?: string | undefined
  error?: string | undefined
  before?: ReactNode
  after?: ReactNode
}

/** A labelled text input with an icon before it, a control after it, and a hint or an error below. */
export function Field({ label, note, hint, error, before, after, ...input }: Props) {
  const id = useId()
  const below = error ?? hint
  const describedBy = [...(note ? [`${id}-note`] : []), ...(below ? [`${id}-below`] : [])].join(' ')
  return (
    <div data-field="">
      <p className="mb-1.5 flex items-baseline gap-2 text-ui">
        <label htmlFor={id} className="font-[550]">
          {label}
        </label>
        {note && (
          <span id={`${id}-note`} className="text-faint text-meta">
            {note}
          </span>
        )}
      </p>
      <div
        // Text that is left-to-right in any language, such as '@ada', keeps its '@' on the left.
        dir={input.dir === 'ltr' ? 'ltr' : undefined}
        className={`field-edge flex h-10 pointer-coarse:h-11 items-center gap-2 rounded-m bg-paper px-3 ${error ? 'border-danger focus-within:border-danger' : ''}`}
      >
        {before}
        <input
          id={id}
          className="h-full min-w-0 flex-1 bg-transparent outline-none"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          {...input}
        />
        {after}
      </div>
      {below && (
        <p
          id={`${id}-below`}
          role={error ? 'alert' : undefined}
          className={`mt-1.5 text-pretty text-meta ${error ? 'text-danger' : 'text-faint'}`}
        >
          {below}
        </p>
      )}
    </div>
  )
}
