// Planets under gravity, symplectic integration; the total energy at the end.
class Body {
  constructor(
    public x: f64,
    public y: f64,
    public z: f64,
    public vx: f64,
    public vy: f64,
    public vz: f64,
    public mass: f64,
  ) {}
}

const COUNT = 5;
const SOLAR: f64 = 4 * Math.PI * Math.PI;
const YEAR: f64 = 365.24;

function advance(bodies: StaticArray<Body>, dt: f64): void {
  for (let i = 0; i < COUNT; i++) {
    const a = unchecked(bodies[i]);
    const x = a.x;
    const y = a.y;
    const z = a.z;
    const mass = a.mass;
    let vx = a.vx;
    let vy = a.vy;
    let vz = a.vz;
    for (let j = i + 1; j < COUNT; j++) {
      const b = unchecked(bodies[j]);
      const dx = x - b.x;
      const dy = y - b.y;
      const dz = z - b.z;
      const d2 = dx * dx + dy * dy + dz * dz;
      const mag = dt / (d2 * Math.sqrt(d2));
      vx -= dx * b.mass * mag;
      vy -= dy * b.mass * mag;
      vz -= dz * b.mass * mag;
      b.vx += dx * mass * mag;
      b.vy += dy * mass * mag;
      b.vz += dz * mass * mag;
    }
    // Those behind it do not look at it any more.
    a.x = x + dt * vx;
    a.y = y + dt * vy;
    a.z = z + dt * vz;
    a.vx = vx;
    a.vy = vy;
    a.vz = vz;
  }
}

function energy(bodies: StaticArray<Body>): f64 {
  let e: f64 = 0;
  for (let i = 0; i < COUNT; i++) {
    const a = unchecked(bodies[i]);
    e += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
    for (let j = i + 1; j < COUNT; j++) {
      const b = unchecked(bodies[j]);
      const dx = a.x - b.x;
      const dy = a.y - b.y;
      const dz = a.z - b.z;
      e -= (a.mass * b.mass) / Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return e;
}

function body(x: f64, y: f64, z: f64, vx: f64, vy: f64, vz: f64, mass: f64): Body {
  return new Body(x, y, z, vx * YEAR, vy * YEAR, vz * YEAR, mass * SOLAR);
}

export function run(n: i32): f64 {
  const bodies = StaticArray.fromArray<Body>([
    body(0, 0, 0, 0, 0, 0, 1),
    body(4.8414314424647209, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609),
    body(8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411899, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812),
    body(12.894369562139131, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618, 0.0023784717395948095, -0.0000296589568540237556, 0.0000436624404335156298),
    body(15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322, 0.00162824170038242295, -0.000095159225451971587, 0.0000515138902046611451),
  ]);
  for (let i = 0; i < n; i++) advance(bodies, 0.01);
  return energy(bodies);
}
