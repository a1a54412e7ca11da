//! Documents of MuJoCo for tests, and what MuJoCo 4.0 makes of them. The numbers are those of the Python module
//! `mujoco`: `m = mujoco.MjModel.from_xml_string(text)`, `mujoco.mj_forward(m, d)`, and runs by `mjINT_RK4` with a step
//! of 1e-4 s or 2e-5 s.

/// Slides and turns about several points, classes, frames, every primitive; a keyframe.
pub(super) const CHAIN: &str = r#"<mujoco model="chain">
  <compiler eulerseq="XyZ"/>
  <default>
    <joint damping="0.2"/>
    <default class="limb">
      <geom type="capsule" density="900" size="0.03 0.1"/>
      <default class="hand"><geom type="box" size="0.04 0.02 0.06"/></default>
    </default>
  </default>
  <worldbody>
    <body name="upper" pos="0.1 -0.2 1" euler="20 -35 50" childclass="limb">
      <joint name="lift" type="slide" axis="1 1 0" ref="0.05"/>
      <joint name="swing" axis="0 1 0.2" pos="0 0 0.1" ref="10"/>
      <joint name="twist" axis="0 0 1" pos="0 0 0.1"/>
      <geom fromto="0 0 0.1 0.02 0 -0.2" size="0.04"/>
      <body name="lower" pos="0 0 -0.25" axisangle="0 1 1 30">
        <joint name="bend" axis="1 0 0" pos="0 0 0.02"/>
        <joint name="roll" axis="0 0 1" pos="0.01 0 -0.05"/>
        <geom/>
        <frame pos="0 0 -0.1" zaxis="1 0 3">
          <body name="hand" pos="0 0.02 -0.08" xyaxes="0 1 0 -1 0 0.2">
            <joint name="slip" type="slide" axis="0 1 0" range="-0.1 0.1"/>
            <geom class="hand"/>
            <geom type="ellipsoid" class="hand" size="0.02 0.03 0.05" pos="0.05 0 0" mass="0.3"/>
            <geom type="cylinder" size="0.02 0.05" pos="0 0.05 0" quat="0.7 0.1 0.2 0.1"/>
            <geom type="sphere" size="0.03" pos="0 0 0.1"/>
          </body>
        </frame>
      </body>
    </body>
  </worldbody>
  <keyframe><key name="bent" qpos="0.1 0.5 -0.4 0.3 1.2 0.05" qvel="0.1 0.2 -0.3 0.4 -0.5 0.6"/></keyframe>
</mujoco>"#;

/// Two joints with a wrapped muscle, motors, a servo and a sum of coordinates.
pub(super) const ARM: &str = r#"<mujoco model="arm">
  <option gravity="0 0 0"/>
  <worldbody>
    <site name="origin" pos="0.02 0 0.1"/>
    <body name="upper" pos="0 0 0">
      <joint name="shoulder" axis="0 1 0" range="-60 60" armature="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02" contype="0" conaffinity="0"/>
      <geom name="pulley" type="cylinder" size="0.025 0.05" pos="0 0 -0.3" euler="90 0 0" contype="0" conaffinity="0" mass="0"/>
      <geom name="ball" type="sphere" size="0.03" pos="0 0 0" contype="0" conaffinity="0" mass="0"/>
      <site name="middle" pos="0.03 0 -0.15"/>
      <site name="front" pos="0.1 0 -0.3"/>
      <site name="up" pos="0.1 0 0"/>
      <body name="fore" pos="0 0 -0.3">
        <joint name="elbow" axis="0 -1 0" range="0 130"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.25" size="0.02" contype="0" conaffinity="0"/>
        <site name="insertion" pos="0.02 0 -0.08"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="path" stiffness="300" damping="2">
      <site site="origin"/><geom geom="ball" sidesite="up"/><site site="middle"/>
      <geom geom="pulley" sidesite="front"/><site site="insertion"/>
    </spatial>
    <fixed name="sum" stiffness="0.5" springlength="0.1"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-0.5"/></fixed>
  </tendon>
  <actuator>
    <muscle name="biceps" tendon="path" lengthrange="0.3 0.45" timeconst="0.02 0.06" scale="150"/>
    <motor name="push" joint="shoulder" gear="3" ctrlrange="-2 2"/>
    <position name="servo" joint="elbow" kp="4" kv="0.3" ctrlrange="0 2"/>
    <motor name="both" tendon="sum" gear="2"/>
  </actuator>
</mujoco>"#;

/// Springs, dampers and armatures of a hinge and a slide.
pub(super) const PENDULUM: &str = r#"<mujoco model="pendulum">
  <compiler angle="radian"/>
  <worldbody>
    <body name="rod" pos="0 0 0">
      <joint name="hinge" axis="0 1 0" ref="0.3" stiffness="1.5" springref="0.8" damping="0.05" armature="0.04"/>
      <inertial pos="0 0 -0.4" mass="0.7" diaginertia="0.02 0.02 0.001"/>
      <body name="slider" pos="0 0 -0.8">
        <joint name="slide" type="slide" axis="0 0 1" stiffness="40" damping="0.4" armature="0.3"/>
        <inertial pos="0 0 0" mass="0.5" diaginertia="0.001 0.001 0.001"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

/// Joints that follow others.
pub(super) const LEG: &str = r#"<mujoco model="follow">
  <compiler angle="radian"/>
  <worldbody>
    <body name="thigh" pos="0 0 1">
      <joint name="hip" axis="0 1 0"/>
      <inertial pos="0 0 -0.2" mass="2" diaginertia="0.03 0.03 0.004"/>
      <body name="shank" pos="0 0 -0.4">
        <joint name="glide" type="slide" axis="1 0 0.1"/>
        <joint name="knee" axis="0 1 0" ref="0.2"/>
        <joint name="turn" axis="0 0 1"/>
        <inertial pos="0 0 -0.2" mass="1.2" diaginertia="0.02 0.02 0.002"/>
        <body name="foot" pos="0 0 -0.4">
          <joint name="ankle" axis="0 1 0"/>
          <inertial pos="0.05 0 0" mass="0.4" diaginertia="0.001 0.001 0.001"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality>
    <joint name="a" joint1="glide" joint2="knee" polycoef="0.01 0.02 -0.03 0.01 0.005" solref="0.0005 1" solimp="0.9999 0.9999 0.001"/>
    <joint name="b" joint1="turn" joint2="knee" polycoef="0 0.3 0.1 0 0" solref="0.0005 1" solimp="0.9999 0.9999 0.001"/>
    <joint name="c" joint1="ankle" polycoef="-0.4 0 0 0 0" solref="0.0005 1" solimp="0.9999 0.9999 0.001"/>
  </equality>
</mujoco>"#;
