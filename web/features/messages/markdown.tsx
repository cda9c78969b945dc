import { memo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

const plugins = [remarkGfm]

const components: Components = {
  // `//host` is an address elsewhere, although it looks relative.
  a: ({ href = '', title, children }) =>
    /^(\/(?!\/)|[#?])/.test(href) ? (
      <a href={href} title={title}>
        {children}
      </a>
    ) : (
      <a href={href} title={title} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ),
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  // A picture from elsewhere would tell its host who reads this; it is shown as a link.
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer nofollow">
      {alt || String(src)}
    </a>
  ),
}

/** Markdown as people write it in chats. Raw HTML is shown as text; links keep only harmless schemes. */
export const MessageText = memo(function MessageText({ content }: { content: string }) {
  return (
    <div className="prose" dir="auto">
      <Markdown remarkPlugins={plugins} components={components}>
        {content}
      </Markdown>
    </div>
  )
})
