import { hashOf } from './markup.ts'

/** The colours are those of the console. */
export const style = `
:root{color-scheme:light dark;--text:light-dark(#1a1b1e,#d5d7e0);--dim:light-dark(#565e66,#a6a7ab);
--line:light-dark(#dee2e6,#3b3b3b);--body:light-dark(#fff,#1a1b1e);--tint:light-dark(#f4f5f7,#242424);
--link:light-dark(#3b5bdb,#91a7ff);--field:light-dark(#8a929a,#6b7075);font:1rem/1.55 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--body);color:var(--text)}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code,pre,textarea{font-family:ui-monospace,monospace;font-size:.875rem;overflow-wrap:anywhere}
small,.type{color:var(--dim);font-size:.875rem;font-weight:400}
.type{overflow-wrap:anywhere}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--body)}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.75rem 1rem;border-bottom:1px solid var(--line)}
header>a:first-child{font-weight:600;color:inherit;text-decoration:none}
search+a{margin-left:auto}
search{flex:1 1 18rem}
search form{display:flex;gap:.5rem;max-width:36rem}
search label{flex:1}
search span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
input,textarea,button{font:inherit;padding:.375rem .625rem;border:1px solid var(--field);border-radius:.5rem;
background:var(--body);color:inherit}
input,textarea{width:100%}
::placeholder{color:var(--dim);opacity:1}
button{background:#4263eb;border-color:#4263eb;color:#fff;cursor:pointer}
ul{padding:0;list-style:none}
.columns{display:grid;grid-template-columns:12rem minmax(0,1fr);max-width:76rem;margin:0 auto}
nav{padding:1rem;border-right:1px solid var(--line)}
nav ul{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow:auto;margin:0}
nav a{display:block;padding:.1875rem 0;text-decoration:none}
nav [aria-current]{color:inherit;font-weight:600}
main{padding:1rem 1.5rem 4rem;min-width:0}
main>p{max-width:48rem}
h1{margin:.5rem 0;font-size:1.75rem}
h2{margin:2rem 0 .5rem;font-size:1.25rem}
h2 a{color:inherit;text-decoration:none}
h2 a:hover{text-decoration:underline}
h3{margin:1.25rem 0 .25rem;font-size:1rem}
article{margin-top:2.5rem;padding-top:.5rem;border-top:1px solid var(--line)}
.endpoints a{display:grid;grid-template-columns:4rem minmax(0,1fr) minmax(0,1fr);gap:.25rem .75rem;padding:.25rem 0;
text-decoration:none;color:inherit}
.endpoints a:hover{background:var(--tint)}
.endpoints span{color:var(--dim)}
b{font:600 .8125rem/1.55 ui-monospace,monospace;color:light-dark(#087f5b,#38d9a9)}
.POST{color:var(--link)}
.PUT,.PATCH{color:light-dark(#9a4d00,#ffa94d)}
.DELETE{color:light-dark(#c92a2a,#ff8787)}
.fields{margin:.25rem 0}
.fields>li{padding:.375rem 0;border-top:1px solid var(--line)}
.fields p{margin:.125rem 0;max-width:48rem}
.fields .fields{margin-left:1rem}
strong{font-size:.8125rem;font-weight:600;color:light-dark(#c92a2a,#ff8787)}
.errors{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.25rem 0}
details{margin:.5rem 0}
summary{width:fit-content;color:var(--link);cursor:pointer}
pre{overflow:auto;max-height:30rem;margin:.5rem 0;padding:.75rem;border-radius:.5rem;background:var(--tint)}
.try form{display:grid;gap:.75rem;max-width:40rem}
.try p{margin:0}
.try button{justify-self:start}
.scroll{overflow-x:auto}
table{border-collapse:collapse}
th,td{padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
td code{overflow-wrap:normal}
:target{scroll-margin-top:1rem}
tr:target{background:var(--tint)}
@media(max-width:48rem){.columns{display:block}search{order:1;flex-basis:100%}
nav{border:0;border-bottom:1px solid var(--line);padding:0 1rem}nav ul{position:static;display:flex;gap:0 1.25rem;
padding-right:3rem;mask-image:linear-gradient(90deg,#000 calc(100% - 3rem),transparent)}
nav a{padding:.5rem 0;white-space:nowrap}main{padding:.5rem 1rem 3rem}thead{display:none}
table,tbody,tr,td:last-child{display:block}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}
td{display:inline;padding:0 .5rem 0 0;border:0}
.endpoints a{grid-template-columns:4rem minmax(0,1fr)}
.endpoints span{grid-column:2}}
`

/** The search is a form, and the script of the trial calls the API. */
export const referencePolicy =
  `default-src 'none'; style-src ${hashOf(style)}; script-src 'self'; img-src 'self'; connect-src 'self'; ` +
  `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
