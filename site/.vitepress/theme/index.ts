// The look of the site: VitePress's own theme in the colours of Sluice, without fonts to download.

import theme from 'vitepress/theme-without-fonts';
import './style.css';

export { theme as default };
