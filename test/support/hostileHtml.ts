/** Hostile HTML, and a check of sanitized HTML as a browser parses it. */
import { type DefaultTreeAdapterMap, html as spec, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

const ALLOWED_ELEMENTS = new Set(
  'p br hr h2 h3 h4 blockquote pre ul ol li strong b em i u s sub sup code a table thead tbody tr th td'.split(' '),
);
const ALLOWED_ATTRIBUTES: Record<string, RegExp> = {
  href: /^(https?:|mailto:|[^:]*$)/i,
  rel: /^(noopener noreferrer nofollow|nofollow ugc noopener)$/,
  target: /^_blank$/,
  colspan: /./,
  rowspan: /./,
};

function findForbiddenIn(node: Node): string[] {
  const own: string[] = [];
  if ('tagName' in node) {
    if (!ALLOWED_ELEMENTS.has(node.tagName) || node.namespaceURI !== spec.NS.HTML) own.push(node.tagName);
    for (const { name, value } of node.attrs) {
      // Browsers ignore white space and control characters in a scheme.
      const read = name === 'href' ? value.replaceAll(/[\p{Cc}\s]/gu, '') : value;
      if (!ALLOWED_ATTRIBUTES[name]?.test(read)) own.push(`${name}=${value}`);
    }
  } else if (node.nodeName !== '#text' && node.nodeName !== '#document-fragment') own.push(node.nodeName);
  return [...own, ...('childNodes' in node ? node.childNodes.flatMap(findForbiddenIn) : [])];
}

/** Lists the elements and attributes of sanitized HTML that are not allowed, at any depth. */
export const findForbidden = (sanitized: string): string[] => findForbiddenIn(parseFragment(sanitized));

export const depthOf = (node: Node): number =>
  1 + ('childNodes' in node ? Math.max(0, ...node.childNodes.map(depthOf)) : 0);

/** Cheat sheets of old and new browsers, including mutation XSS. */
export const HOSTILE_HTML = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>"\\>',
  '<img src=x:alert(alt) onerror=eval(src) alt=xss>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=1em>x</text></a></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><a xlink:href="javascript:alert(1)">x',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<noembed><p title="</noembed><img src=x onerror=alert(1)>">',
  '<plaintext><img src=x onerror=alert(1)>',
  '<template><img src=x onerror=alert(1)></template>',
  '<select><template><style><!--</style><a rel="--></style></template></select><img onerror=alert(1) src>">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<applet code=x></applet><base href="javascript:alert(1)//"><link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<style>@import "javascript:alert(1)";</style><p style="background:url(javascript:alert(1))">x</p>',
  '<p style="position:fixed;inset:0">cover</p><p class="modal" id="location">clobber</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="java&NewLine;script&colon;alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '<a href=" \u0001 javascript:alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="//evil.example/">x</a>',
  '<a href="\\\\evil.example/">x</a>',
  '<a href="https://ok.example/" onclick="alert(1)" onmouseover=alert(1) style="x:expression(alert(1))">x</a>',
  '<a href="https://ok.example/&quot; onclick=alert(1) x=&quot;">x</a>',
  '<a href=\'https://ok.example/" onclick=alert(1) x="\'>x</a>',
  '<a ping="//evil.example" href="https://ok.example/" target="_self" rel="opener">x</a>',
  '<input autofocus onfocus=alert(1)><button formaction="javascript:alert(1)">x</button>',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>',
  '<body onload=alert(1)><html onmouseover=alert(1)><frameset onload=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee><isindex type=image src=1 onerror=alert(1)>',
  '<td colspan="1 onmouseover=alert(1)" background="javascript:alert(1)">x</td>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]><?xml version="1.0"?><!DOCTYPE x>',
  '<p/onclick=alert(1)>x</p><p\u000conclick=alert(1)>x</p><p\u00a0onclick=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  '<<script>alert(1)//<</script>',
  '<custom-element onclick=alert(1)><slot></slot></custom-element>',
  '"><img src=x onerror=alert(1)><p x="',
  '<b <img src=x onerror=alert(1)>>x</b>',
  '<table><p><img src=x onerror=alert(1)></table><li><table><a href=javascript:alert(1)>x',
];
