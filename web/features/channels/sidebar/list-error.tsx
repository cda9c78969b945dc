interface Props {
  retry: () => void
}

/** Shown in place of a list of conversations that failed to load. */
export const ListError = ({ retry }: Props) => (
  <p role="alert" className="px-2 py-1 text-danger">
    Failed to load channels.{' '}
    <button type="button" className="font-[600] text-pine hover:underline" onClick={retry}>
      Try again
    </button>
  </p>
)
