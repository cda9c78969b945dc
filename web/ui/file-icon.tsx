import { File, FileHeadphone, FileImage, FilePlay, FileText } from 'lucide-react'

interface Props {
  /** MIME type. */
  type: string
  size?: number
}

export function FileIcon({ type, size = 20 }: Props) {
  const Icon = iconOf(type)
  return <Icon size={size} data-kind={kindOf(type)} />
}

const icons = { image: FileImage, video: FilePlay, audio: FileHeadphone, pdf: FileText, file: File }

const iconOf = (type: string) => icons[kindOf(type)]

export function kindOf(type: string): keyof typeof icons {
  const [family] = type.split('/')
  if (family === 'image' || family === 'video' || family === 'audio') return family
  return type === 'application/pdf' ? 'pdf' : 'file'
}
