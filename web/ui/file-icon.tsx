import {
  File,
  FileArchive,
  FileCode,
  FileHeadphone,
  FileImage,
  FilePlay,
  FileSpreadsheet,
  FileTerminal,
  FileText,
  FileType,
} from 'lucide-react'

interface Props {
  /** MIME type. */
  type: string
  /** Its extension tells what many types do not. */
  name?: string | undefined
  size?: number
}

export function FileIcon({ type, name = '', size = 20 }: Props) {
  const Icon = iconOf(type, name)
  return <Icon size={size} data-kind={kindOf(type)} />
}

const icons = { image: FileImage, video: FilePlay, audio: FileHeadphone, pdf: FileText, file: File }

const iconsByExtension = new Map([
  ...['csv', 'tsv', 'xls', 'xlsx', 'ods', 'numbers'].map((it) => [it, FileSpreadsheet] as const),
  ...['zip', 'gz', 'tgz', 'tar', 'bz2', 'xz', '7z', 'rar'].map((it) => [it, FileArchive] as const),
  ...['md', 'doc', 'docx', 'odt', 'rtf', 'pages'].map((it) => [it, FileType] as const),
  ...['json', 'js', 'ts', 'py', 'sh', 'html', 'css', 'xml', 'yaml', 'yml', 'sql'].map((it) => [it, FileCode] as const),
  ['log', FileTerminal] as const,
])

function iconOf(type: string, name: string) {
  const kind = kindOf(type)
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (kind === 'file' && iconsByExtension.get(extension)) || icons[kind]
}

export function kindOf(type: string): keyof typeof icons {
  const [family] = type.split('/')
  if (family === 'image' || family === 'video' || family === 'audio') return family
  return type === 'application/pdf' ? 'pdf' : 'file'
}
